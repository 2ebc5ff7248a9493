// Runs a checkpoint of this page on the memory of a recorded run, token by token. Texts only ever become text nodes.
(() => {
  const { runs, checkpoints } = JSON.parse($("document").textContent);
  const KEPT = 64; // steps from one copy of the memory's contents to the next
  const CLOSE = 1; // a margin below which a token is marked
  const MOST = 20000; // steps

  let run, memory, tokenizer, tensors, network, draw; // what is shown
  let taken, copies, differs; // the responses so far, contents at some steps, and the first step that is not as recorded
  let step, contents, seen; // where we are, and what is next
  let response, written, flip, trouble, picture; // the tokens of a response that has begun

  const last = () => run.targets.length;
  const recorded = (at) => (at > last() ? undefined : run.texts[run.targets[at - 1]]);
  const sound = () => differs > step; // whether all responses so far are as recorded
  const visible = (id) => (id < SPECIALS ? "end" : tokenizer.names[id].replaceAll("\n", "⏎").replace(/[ \u2581]/g, "␣"));

  // ---- the machine

  function open(choice) {
    run = runs[choice];
    memory = buildMemory(run.convention);
    [taken, copies, differs] = [[], [memory.start()], Infinity];
    picture = { step: -1 };
    mend();
    const extent = { columns: 1, levels: 1 };
    for (let at = 0; at <= last(); at++) {
      const { labels, places } = pictureAt(at);
      extent.columns = Math.max(extent.columns, labels.length);
      for (const [, level] of places.values()) extent.levels = Math.max(extent.levels, level + 1);
    }
    $("stage").replaceChildren();
    draw = buildStage($("stage"), run.items, run.posts, extent.columns, extent.levels);
    seek(0);
  }

  // Makes the network as it ships.
  function mend() {
    const { config, tokenizer: file, weights } = checkpoints[run.checkpoint];
    tokenizer = buildTokenizer(file, run.dialect);
    tensors = readTensors(weights);
    network = buildNetwork(config, tensors, tokenizer.kinds);
    $("noise").value = 0;
    $("broken").textContent = "as they ship";
  }

  function breakWith(changed, words) {
    network = buildNetwork(checkpoints[run.checkpoint].config, changed, tokenizer.kinds);
    $("broken").textContent = words;
    if (response) seek(step);
  }

  // The picture after a recorded step; it goes on from the last one that was asked for.
  function pictureAt(at) {
    if (at < picture.step || picture.step < 0) picture = { step: -1, labels: [], places: new Map(), text: null };
    while (picture.step < at) changePicture(picture, run.pictures[++picture.step], run.texts);
    return picture;
  }

  // Goes to a step that was taken; to a later one by the recorded responses, without the network.
  function seek(to) {
    while (taken.length < to && differs > taken.length && taken.length < last()) keep(recorded(taken.length + 1), false);
    step = Math.max(0, Math.min(to, taken.length));
    const from = Math.floor(step / KEPT);
    contents = copies[from];
    for (let at = from * KEPT; at < step; at++) contents = memory.write(contents, memory.read(contents), taken[at].text).contents;
    seen = memory.read(contents);
    [response, written, flip, trouble] = [null, [], false, ""];
  }

  // Writes a response to the memory, after the last step that was taken.
  function keep(text, live, least) {
    const before = taken.length ? taken.at(-1).contents : copies[0];
    const { contents: after, actions } = memory.write(before, memory.read(before), text);
    if (taken.length) taken.at(-1).contents = null;
    taken.push({ text, live, least, actions, contents: after });
    if (taken.length % KEPT === 0) copies.push(after);
    if (text !== recorded(taken.length)) differs = Math.min(differs, taken.length);
  }

  // Writes a token; after the last one of a response, takes the step. False if there is nothing to do.
  function advance() {
    if (!seen || trouble || step >= MOST) return false;
    try {
      if (!response) written = [];
      response ??= { reader: decoded(network, tokenizer, seen.prompt), sent: undefined };
      const { value, done } = response.reader.next(response.sent);
      if (!done) {
        const token = flip ? value.second : value.token;
        response.sent = token;
        written.push({ ...value, token, flipped: flip, instead: flip ? value.token : value.second });
        flip = false;
      }
      if (done || response.sent === EOS) take(tokenizer.target(written.map(({ token }) => token)));
    } catch (error) {
      trouble = `Step ${number.format(step + 1)}: ${error.message}. The run stops here; go back to go on.`;
      if (sound() && recorded(step + 1)) trouble += ` The recorded response is\n${recorded(step + 1)}`;
    }
    return true;
  }

  function take(text) {
    taken.length = step; // what had been taken after this one
    copies.length = Math.floor(step / KEPT) + 1;
    if (differs > step) differs = Infinity;
    if (step) taken[step - 1].contents = contents;
    keep(text, true, Math.min(...written.map(({ margin }) => margin)));
    step++;
    contents = taken[step - 1].contents;
    seen = memory.read(contents);
    response = null;
  }

  // ---- the page

  let asked = null; // what is next, or what was read until the next response begins

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
    const from = Math.max(0, step - 12);
    $("past").replaceChildren(...taken.slice(from, step + 3).map(({ text, live, least, actions }, at) => {
      const place = from + at + 1, item = element("li", "", place === step ? "here" : "");
      const button = element("button", "", place >= differs ? "own" : "");
      button.type = "button";
      button.append(number.format(place), element("small", live ? least.toFixed(1) : "recorded"), actions[0] ?? text.split("\n")[0]);
      button.addEventListener("click", () => to(place));
      item.append(button);
      return item;
    }));
  }

  function render(duration = 0) {
    if (response || !written.length) asked = seen;
    showTokens();
    const texts = memory.windows(contents), pointer = memory.pointer(contents);
    const old = shown.step === step - 1 ? shown.texts : texts;
    const changed = new Set([...texts.keys()].filter((at) => texts[at] !== old[at]));
    const registers = run.memory.registers.map(() => texts.length);
    const read = shown.step === step - 1 ? shown.pointer : -1;
    showMemory(run.memory, { length: texts.length, at: (at) => texts[at] }, { pointer, registers, waiting: null, changed, read });
    if (shown.step !== step) shown = { step, texts, pointer };
    showSteps();
    if (sound()) showPicture(pictureAt(step), draw, duration);
    else showPicture({ text: `No picture: the run is not the recorded one since step ${number.format(differs)}.` }, draw, 0);
    const live = taken.slice(0, step).filter((each) => each.live).length;
    const ended = !seen && !trouble;
    $("outcome").textContent = trouble ? "stopped" : sound() ? `${number.format(live)} run here${ended ? ", all equal" : ""}` : "differs";
    $("outcome").className = `badge ${trouble || !sound() ? "fault" : ended && live === last() ? "solved" : ""}`;
    const wanted = differs > taken.length ? "" : recorded(differs);
    const words = wanted === undefined ? "of which there is none." : `which is\n${wanted}`;
    $("fault").hidden = !(trouble || !sound());
    $("fault").textContent = [sound() ? "" : `The response at step ${number.format(differs)} differs from the recorded one, ${words}`, trouble].filter(Boolean).join("\n");
    $("step-title").textContent = response || trouble ? `Step ${number.format(step + 1)}` : written.length ? `Step ${number.format(step)}` : seen ? `Before step ${number.format(step + 1)}` : "The end";
    $("scrub").max = Math.max(last(), taken.length);
    $("scrub").value = step;
    $("total").textContent = `step ${number.format(step)} of ${number.format(last())}`;
  }

  let shown = { step: -1, texts: [], pointer: -1 };
  let playing = null;

  function pause() {
    if (!playing) return;
    cancelAnimationFrame(playing.frame);
    playing = null;
    showButton();
  }

  function play() {
    if (!seen) seek(0);
    playing = { since: performance.now(), frame: 0 };
    showButton();
    const tick = (time) => {
      const speed = Number($("speed").value), until = performance.now() + 12;
      let due = speed ? Math.floor(((time - playing.since) * speed) / 1000) : Infinity;
      if (due > 0) {
        playing.since = time;
        while (due-- > 0 && performance.now() < until) if (!advance()) { pause(); break; }
        render(speed && speed <= 100 ? 300 : 0);
      }
      if (playing) playing.frame = requestAnimationFrame(tick);
    };
    playing.frame = requestAnimationFrame(tick);
  }

  function showButton() {
    $("play").setAttribute("aria-label", playing ? "Pause" : "Run");
    $("play-icon").setAttribute("d", playing ? "M5 4h4v12H5zM11 4h4v12h-4z" : "M6 3.5v13l11-6.5z");
  }

  function to(place) { pause(); seek(place); render(); }
  function token() { pause(); advance(); render(300); }
  function whole() {
    pause();
    const before = step;
    while (step === before && advance());
    render(380);
  }
  const acts = {
    play: () => (playing ? pause() : play()), token, next: whole, back: () => to(response ? step : step - 1), home: () => to(0),
    theme: changeTheme,
    flip: () => { pause(); flip = true; advance(); render(300); },
    zero: () => {
      const name = $("tensor").value, values = tensors.get(name).slice(), at = Math.min(Math.max(0, Number($("weight").value)), values.length - 1);
      const was = values[at];
      values[at] = 0;
      breakWith(new Map(tensors).set(name, values), `number ${number.format(at)} of ${name} is 0, and was ${was.toFixed(4)}`);
    },
    mend: () => { mend(); if (response) seek(step); render(); },
  };
  const keys = { " ": "play", ".": "token", ArrowRight: "next", ArrowLeft: "back", Home: "home", t: "theme" };
  for (const id of Object.keys(acts)) $(id).addEventListener("click", acts[id]);
  document.addEventListener("keydown", (event) => {
    const id = Object.hasOwn(keys, event.key) ? keys[event.key] : null;
    if (!id || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("select, input[type=number]")) return;
    if (event.key === " " && event.target.closest("button, summary")) return;
    event.preventDefault();
    acts[id]();
  });
  $("noise").addEventListener("input", () => {
    const share = Number($("noise").value);
    breakWith(share ? disturbed(tensors, share / 100) : tensors, share ? `noise of ${share} % on every weight` : "as they ship");
    render();
  });
  $("tensor").addEventListener("change", () => {
    const values = tensors.get($("tensor").value); // the largest number of it has most to do
    $("weight").value = values.reduce((best, value, at) => (Math.abs(value) > Math.abs(values[best]) ? at : best), 0);
  });
  $("scrub").addEventListener("input", () => to(Number($("scrub").value)));
  $("choice").append(...runs.map(({ title }, at) => Object.assign(element("option", title), { value: at })));
  $("choice").addEventListener("change", () => choose(Number($("choice").value)));

  function choose(choice) {
    pause();
    open(choice);
    [asked, shown] = [null, { step: -1, texts: [], pointer: -1 }];
    $("problem").textContent = $("problem").title = run.problem;
    $("memory-title").textContent = `Memory: ${run.memory.name}`;
    $("prompt-title").textContent = run.convention.letters.length ? "The network reads, with the names numbered by place" : "The network reads";
    $("tensor").replaceChildren(...[...tensors.keys()].map((name) => element("option", name)));
    listFacts(run.facts);
    render();
  }
  choose(0);
})();
