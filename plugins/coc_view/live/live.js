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

  // Uses these weights from here on.
  function use(weights, words) {
    network = buildNetwork(checkpoints[run.checkpoint].config, weights, tokenizer.kinds);
    $("broken").textContent = words;
  }

  function mend() {
    tensors = readTensors(checkpoints[run.checkpoint].weights);
    $("noise").value = 0;
    use(tensors, "as they ship");
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
      if (!done) written.push(flipped ? { ...value, token: value.second, second: value.token, flipped } : value);
      if (done || written.at(-1).token === EOS) take(tokenizer.target(written.map(({ token }) => token)));
    } catch (error) {
      trouble = `Step ${number.format(step + 1)}: ${error.message}. The run stops here; go back to go on.`;
    }
  }

  // Takes a step by a response, in place of those that had been taken from here on.
  function take(text) {
    const after = memory.write(contents.at(step), seen, text);
    taken.splice(step, Infinity, { text, action: after.actions[0], least: smallest() });
    contents.cut(step);
    if (differs > step) differs = text === recorded(step + 1) ? Infinity : step + 1;
    step++;
    seen = memory.read(contents.at(step));
    response = null;
  }

  const smallest = () => Math.min(...written.map(({ margin }) => margin));

  // ---- the page

  const visible = (id) => (id < SPECIALS ? "end" : tokenizer.names[id].replaceAll("\n", "⏎").replace(/[ \u2581]/g, "␣"));

  function showTokens() {
    const at = response || trouble ? `Step ${number.format(step + 1)}` : written.length ? `Step ${number.format(step)}` : "";
    $("step-title").textContent = at || (seen ? `Before step ${number.format(step + 1)}` : "The end");
    const context = asked ? tokenizer.context(asked.prompt).slice(1, -1) : [];
    $("read").replaceChildren(...context.map((id) => element("li", visible(id))));
    $("window").textContent = asked?.window;
    $("window-part").hidden = !asked || !run.convention.letters.length;
    $("written").replaceChildren(...written.map(({ token, margin, second, flipped }) => {
      const item = element("li", visible(token), flipped ? "flipped" : margin < CLOSE ? "close" : "");
      item.append(element("small", flipped ? "flipped" : margin.toFixed(1)));
      item.title = flipped ? `in place of ${visible(second)}` : `${margin.toFixed(3)} above ${visible(second)}`;
      return item;
    }));
    $("least").textContent = written.length ? `· smallest margin ${smallest().toFixed(2)}` : "";
    $("target").textContent = tokenizer.decode(written.map(({ token }) => token).filter((token) => token !== EOS));
  }

  function showSteps() {
    const from = Math.max(0, step - 9);
    $("past").replaceChildren(...taken.slice(from, step + 3).map(({ text, least, action }, at) => {
      const place = from + at + 1, item = element("li", "", place === step ? "here" : "");
      const button = Object.assign(element("button", "", place >= differs ? "own" : ""), { type: "button" });
      button.append(number.format(place), element("small", least?.toFixed(1) ?? "recorded"), action ?? text.split("\n")[0]);
      button.addEventListener("click", () => player.to(place));
      item.append(button);
      return item;
    }));
  }

  function showContents() {
    const now = contents.at(step), texts = memory.windows(now), before = step ? contents.at(step - 1) : now;
    const old = memory.windows(before), changed = new Set([...texts.keys()].filter((at) => texts[at] !== old[at]));
    const registers = run.memory.registers.map(() => texts.length); // the only one is the next free address of a tape
    const read = step ? memory.pointer(before) : -1;
    showMemory(run.memory, texts, { pointer: memory.pointer(now), registers, waiting: null, changed, read });
  }

  function showOutcome() {
    const live = taken.slice(0, step).filter(({ least }) => least !== undefined).length, whole = !seen && live === last();
    const count = number.format(last()), kind = trouble ? "stopped" : sound() ? "" : "differs";
    $("outcome").textContent = kind || (whole ? `all ${count} steps as recorded` : `${number.format(live)} of ${count} run here`);
    $("outcome").className = `badge ${kind ? "fault" : whole ? "solved" : ""}`;
    const at = Math.min(differs, step + 1), wanted = recorded(at) ? `The recorded one is\n${recorded(at)}` : "None is recorded.";
    const words = sound() ? trouble : `The response at step ${number.format(at)} is not the recorded one. ${trouble}`;
    $("fault").hidden = !words;
    $("fault").textContent = `${words}\n${wanted}`;
    $("total").textContent = `of ${count}`;
  }

  function render(duration = 0) {
    showTokens();
    showSteps();
    showContents();
    showOutcome();
    if (sound()) draw(step, duration);
    else showText(`No picture since step ${number.format(differs)}.`);
  }

  const view = {
    first: 0,
    get end() { return Math.max(last(), taken.length); },
    get place() { return response ? step + 0.5 : step; }, // a half is a response that has begun
    get ended() { return !seen || trouble !== "" || step >= MOST; },
    get words() { return `step ${number.format(step)} of ${number.format(last())}`; },
    show(place, duration) { seek(place); render(duration); },
    next(duration) {
      for (const before = step; step === before && !view.ended;) advance();
      render(duration);
    },
    run(count, duration) {
      const until = performance.now() + 12; // milliseconds of a frame
      while (count-- > 0 && performance.now() < until) advance();
      render(duration);
    },
  };

  function choose(choice) {
    run = runs[choice];
    rows = rowsOf(run);
    memory = buildMemory(run.convention);
    contents = buildStates(memory.start(), (before, at) => memory.write(before, memory.read(before), taken[at - 1].text).contents);
    [taken, differs] = [[], Infinity];
    tokenizer = buildTokenizer(checkpoints[run.checkpoint].tokenizer, run.dialect);
    draw = buildPictures(run, rows);
    mend();
    seek(0);
    showRun(run);
    $("prompt-title").textContent = `The network reads${run.convention.letters.length ? ", with the names numbered by place" : ""}`;
    $("tensor").replaceChildren(...[...tensors.keys()].map((name) => element("option", name)));
    propose();
  }

  // Proposes the number of a tensor that is farthest from zero, since it has most to do.
  function propose() {
    const values = tensors.get($("tensor").value);
    $("weight").value = values.reduce((best, value, at) => (Math.abs(value) > Math.abs(values[best]) ? at : best), 0);
  }

  function zero() {
    const name = $("tensor").value, values = tensors.get(name).slice();
    const at = Math.min(Math.max(0, Number($("weight").value)), values.length - 1), was = values[at].toFixed(4);
    values[at] = 0;
    tensors.set(name, values);
    use(tensors, `number ${number.format(at)} of ${name} is 0, and was ${was}`);
  }

  function shake() {
    const share = Number($("noise").value);
    use(disturbed(tensors, share / 100), share ? `noise of ${share} % on every weight` : "as they ship");
  }

  $("choice").append(...runs.map(({ title }, value) => Object.assign(element("option", title), { value })));
  $("choice").addEventListener("change", () => { choose($("choice").value); player.to(0); });
  $("noise").addEventListener("input", () => { shake(); player.to(step); });
  $("tensor").addEventListener("change", propose);
  choose(0);
  const player = buildPlayer(view, {
    token() { advance(); render(300); },
    flip() { advance(true); render(300); },
    zero() { zero(); view.show(step); },
    mend() { mend(); view.show(step); },
  });
})();
