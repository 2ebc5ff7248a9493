// Runs a checkpoint of this page on the memory of a recorded run, token by token. Texts only ever become text nodes.
(() => {
  const { runs, checkpoints } = JSON.parse($("document").textContent);
  const CLOSE = 1; // a margin below which a token is marked
  const MOST = 20000; // steps

  let run, rows, memory, tokenizer, tensors, network, draw; // what is shown
  let taken, contents, differs; // the responses so far, the memory after each, and the first step that is not as recorded
  let step, seen; // where we are, and what is next
  let response, written, asked, trouble; // the response that has begun, the tokens that are shown, and what they respond to

  const last = () => rows.length - 1;
  const recorded = (at) => run.texts[rows[at]?.target];
  const sound = () => differs > step; // whether all responses so far are as recorded

  // ---- the machine

  function open(choice) {
    run = runs[choice];
    rows = rowsOf(run);
    memory = buildMemory(run.convention);
    contents = buildStates(memory.start(), (before, at) => memory.write(before, memory.read(before), taken[at - 1].text).contents);
    [taken, differs] = [[], Infinity];
    mend();
    draw = buildPictures(run, rows);
    seek(0);
  }

  // Makes the network as it ships.
  function mend() {
    const { config, tokenizer: file, weights } = checkpoints[run.checkpoint];
    tokenizer = buildTokenizer(file, run.dialect);
    tensors = readTensors(weights);
    $("noise").value = 0;
    breakWith(tensors, "as they ship");
  }

  function breakWith(changed, words) {
    network = buildNetwork(checkpoints[run.checkpoint].config, changed, tokenizer.kinds);
    $("broken").textContent = words;
    if (response) seek(step);
  }

  // Goes to a step that was taken; to a later one by the recorded responses, without the network.
  function seek(to) {
    while (taken.length < to && differs > taken.length && taken.length < last()) taken.push({ text: recorded(taken.length + 1) });
    step = Math.min(to, taken.length);
    seen = asked = memory.read(contents.at(step));
    [response, written, trouble] = [null, [], ""];
  }

  // Writes a token, the second likeliest if it is to be flipped; after the last one of a response, takes the step.
  function advance(flipped = false) {
    if (view.ended) return;
    try {
      if (!response) [response, written, asked] = [decoded(network, tokenizer, seen.prompt), [], seen];
      const { value, done } = response.next(written.at(-1)?.token);
      if (!done) written.push(flipped ? { ...value, token: value.second, instead: value.token, flipped } : { ...value, instead: value.second });
      if (done || written.at(-1).token === EOS) take(tokenizer.target(written.map(({ token }) => token)));
    } catch (error) {
      trouble = `Step ${number.format(step + 1)}: ${error.message}. The run stops here; go back to go on.`;
    }
  }

  // Takes a step by a response, in place of those that had been taken from here on.
  function take(text) {
    const after = memory.write(contents.at(step), seen, text);
    taken.length = step;
    contents.forget(step);
    taken.push({ text, action: after.actions[0], least: Math.min(...written.map(({ margin }) => margin)) });
    if (differs > step) differs = text === recorded(step + 1) ? Infinity : step + 1;
    step++;
    seen = memory.read(contents.at(step));
    response = null;
  }

  // ---- the page

  const visible = (id) => (id < SPECIALS ? "end" : tokenizer.names[id].replaceAll("\n", "⏎").replace(/[ \u2581]/g, "␣"));

  function showTokens() {
    const context = asked ? tokenizer.context(asked.prompt).slice(1, -1) : [];
    $("read").replaceChildren(...context.map((id) => element("li", visible(id))));
    $("window").textContent = asked?.window;
    $("window-part").hidden = !asked || !run.convention.letters.length;
    $("written").replaceChildren(...written.map(({ token, margin, instead, flipped }) => {
      const item = element("li", visible(token), flipped ? "flipped" : margin < CLOSE ? "close" : "");
      item.append(element("small", flipped ? "flipped" : margin.toFixed(1)));
      item.title = flipped ? `in place of ${visible(instead)}` : `${margin.toFixed(3)} above ${visible(instead)}`;
      return item;
    }));
    const least = Math.min(...written.map(({ margin }) => margin));
    $("least").textContent = written.length ? `· smallest margin ${least.toFixed(2)}` : "";
    $("target").textContent = tokenizer.decode(written.map(({ token }) => token).filter((token) => token !== EOS));
  }

  function showSteps() {
    const from = Math.max(0, step - 9);
    $("past").replaceChildren(...taken.slice(from, step + 3).map(({ text, least, action }, at) => {
      const place = from + at + 1, item = element("li", "", place === step ? "here" : "");
      const button = element("button", "", place >= differs ? "own" : "");
      button.type = "button";
      button.append(number.format(place), element("small", least?.toFixed(1) ?? "recorded"), action ?? text.split("\n")[0]);
      button.addEventListener("click", () => player.to(place));
      item.append(button);
      return item;
    }));
  }

  function showMemoryNow() {
    const texts = memory.windows(contents.at(step)), pointer = memory.pointer(contents.at(step));
    const before = step ? contents.at(step - 1) : null, old = before ? memory.windows(before) : texts;
    const changed = new Set([...texts.keys()].filter((at) => texts[at] !== old[at]));
    const registers = run.memory.registers.map(() => texts.length); // a tape's next free address is the only one
    showMemory(run.memory, texts, { pointer, registers, waiting: null, changed, read: before ? memory.pointer(before) : -1 });
  }

  function showOutcome() {
    const live = taken.slice(0, step).filter(({ least }) => least !== undefined).length, all = !seen && live === last();
    $("outcome").textContent = trouble ? "stopped" : sound() ? `${number.format(live)} run here${all ? ", all equal" : ""}` : "differs";
    $("outcome").className = `badge ${trouble || !sound() ? "fault" : all ? "solved" : ""}`;
    const other = Math.min(differs, step + 1), wanted = recorded(other), told = wanted === undefined ? "of which there is none." : `which is\n${wanted}`;
    const difference = sound() ? "" : `The response at step ${number.format(differs)} differs from the recorded one, ${told}`;
    const broken = trouble && sound() ? `${trouble} The recorded response is\n${wanted}` : trouble;
    $("fault").hidden = !difference && !trouble;
    $("fault").textContent = [difference, broken].filter(Boolean).join("\n");
  }

  function render(duration = 0) {
    showTokens();
    showSteps();
    showMemoryNow();
    showOutcome();
    if (sound()) draw(step, duration);
    else showText(`No picture: the run is not the recorded one since step ${number.format(differs)}.`);
    const at = response || trouble ? `Step ${number.format(step + 1)}` : written.length ? `Step ${number.format(step)}` : "";
    $("step-title").textContent = at || (seen ? `Before step ${number.format(step + 1)}` : "The end");
    $("total").textContent = `of ${number.format(last())}`;
  }

  const view = {
    first: 0,
    get end() { return Math.max(last(), taken.length); },
    get place() { return response ? step + 0.5 : step; }, // a half is a response that has begun
    get ended() { return !seen || trouble !== "" || step >= MOST; },
    get words() { return `step ${number.format(step)} of ${number.format(last())}`; },
    show(place, duration) { seek(place); render(duration); },
    next(duration) {
      const before = step;
      while (step === before && !view.ended) advance();
      render(duration);
    },
    run(count, duration) {
      const until = performance.now() + 12; // milliseconds of a frame
      while (count-- > 0 && performance.now() < until) advance();
      render(duration);
    },
  };

  // Sets one number of a tensor to zero.
  function zero() {
    const name = $("tensor").value, values = tensors.get(name).slice();
    const at = Math.min(Math.max(0, Number($("weight").value)), values.length - 1), was = values[at];
    values[at] = 0;
    tensors = new Map(tensors).set(name, values);
    breakWith(tensors, `number ${number.format(at)} of ${name} is 0, and was ${was.toFixed(4)}`);
    render();
  }

  function shake() {
    const share = Number($("noise").value);
    breakWith(share ? disturbed(tensors, share / 100) : tensors, share ? `noise of ${share} % on every weight` : "as they ship");
    player.to(step);
  }

  // Proposes the number of a tensor that is farthest from zero, since it has most to do.
  function propose() {
    const values = tensors.get($("tensor").value);
    $("weight").value = values.reduce((best, value, at) => (Math.abs(value) > Math.abs(values[best]) ? at : best), 0);
  }

  function choose(choice) {
    open(choice);
    showRun(run);
    $("prompt-title").textContent = `The network reads${run.convention.letters.length ? ", with the names numbered by place" : ""}`;
    $("tensor").replaceChildren(...[...tensors.keys()].map((name) => element("option", name)));
    propose();
  }

  $("choice").append(...runs.map(({ title }, at) => Object.assign(element("option", title), { value: at })));
  $("choice").addEventListener("change", () => { choose(Number($("choice").value)); player.to(0); });
  $("noise").addEventListener("input", shake);
  $("tensor").addEventListener("change", propose);
  choose(0);
  const player = buildPlayer(view, {
    token() { advance(); render(300); },
    flip() { advance(true); render(300); },
    zero,
    mend() { mend(); render(); },
  });
})();
