// Shows the timeline of a run; timeline.py describes its document. Texts only ever become text nodes.
(() => {
  const run = JSON.parse(document.getElementById("run").textContent);
  const $ = (id) => document.getElementById(id);
  const first = run.first_step;
  const last = first + run.rows.length - 1;
  const end = run.fault ? last + 1 : last; // the place of the fault
  const KEYFRAME = 256; // steps from one full copy to the next
  const SHOWN = 15; // windows of the memory
  const number = new Intl.NumberFormat("en");

  // ---- the steps, rebuilt from their differences

  const now = { step: first - 1, windows: [], changed: new Set(), places: new Map(), labels: [], text: null };
  const keyframes = [];
  const extent = { columns: 1, levels: 1 };
  const row = (step) => Object.fromEntries(run.columns.map((name, at) => [name, run.rows[step - first][at]]));

  function change(picture) {
    if (picture === null) return;
    if (typeof picture === "number") { now.text = picture; return; }
    const [labels, moves] = picture;
    now.text = null;
    if (labels) now.labels = labels;
    for (let at = 0; at < moves.length; at += 3) {
      if (moves[at + 1] < 0) now.places.delete(moves[at]);
      else now.places.set(moves[at], [moves[at + 1], moves[at + 2]]);
    }
  }

  function forward() {
    const { windows, changes, picture } = row(++now.step);
    now.windows.length = windows;
    now.changed = new Set();
    for (let at = 0; at < changes.length; at += 2) {
      now.windows[changes[at]] = changes[at + 1];
      now.changed.add(changes[at]);
    }
    change(picture);
  }

  function keep() {
    keyframes.push({ ...now, windows: now.windows.slice(), places: new Map(now.places) });
  }

  function restore(step) {
    const kept = keyframes[Math.floor((step - first) / KEYFRAME)];
    Object.assign(now, kept, { windows: kept.windows.slice(), places: new Map(kept.places) });
  }

  function seek(step) {
    const target = Math.min(step, last);
    if (target < now.step || target - now.step > KEYFRAME) restore(target);
    while (now.step < target) forward();
  }

  forward();
  keep();
  const widen = () => {
    extent.columns = Math.max(extent.columns, now.labels.length);
    for (const [, level] of now.places.values()) extent.levels = Math.max(extent.levels, level + 1);
  };
  widen();
  while (now.step < last) {
    forward();
    widen();
    if ((now.step - first) % KEYFRAME === 0) keep();
  }
  restore(first);

  // ---- the picture

  const stage = $("stage");
  const draw = buildStage(stage, run.items, run.stage, extent.columns, extent.levels);

  function drawPicture(duration) {
    stage.toggleAttribute("hidden", now.text !== null);
    $("picture").hidden = now.text === null;
    if (now.text !== null) { $("picture").textContent = run.texts[now.text]; return; }
    draw(now.labels, now.places, duration);
  }

  // ---- the words

  function drawStep(step) {
    const faulty = step > last;
    const { prompt, target, actions, pointer } = row(now.step);
    const read = faulty ? now.windows[pointer] : prompt;
    $("step-title").textContent = step === 0 ? "The beginning" : `Step ${number.format(step)}`;
    $("fault").hidden = !faulty;
    $("prompt-title").textContent = faulty ? "Window" : "Prompt";
    $("prompt").textContent = read === undefined ? "" : run.texts[read];
    $("target-title").textContent = faulty ? "What the model wrote" : "Target";
    $("target").textContent = faulty ? run.fault.text : run.texts[target];
    $("target").classList.toggle("wrong", faulty);
    for (const id of ["actions", "actions-title"]) $(id).hidden = faulty;
    $("actions").replaceChildren(...(faulty ? [] : actions).map((action) => {
      const chip = document.createElement("li");
      chip.textContent = run.texts[action];
      return chip;
    }));
  }

  const MARKS = { here: ["▶", "next"], new: ["+", "just written"], read: ["‹", "just read"], done: ["·", "not waiting to be run"] };

  function kindOf(at, { pointer, waiting }, changed, read) {
    if (at === pointer) return "here";
    if (changed.has(at)) return "new";
    if (at === read) return "read";
    if (waiting) return at >= waiting[0] && at < waiting[1] ? "waiting" : "done";
    return "";
  }

  function drawMemory(step) {
    const present = row(now.step);
    const { pointer, registers } = present;
    const count = now.windows.length;
    const centre = pointer < 0 ? count : pointer - Math.floor(SHOWN / 2);
    const from = Math.max(0, Math.min(centre, count - SHOWN));
    const to = Math.min(count, from + SHOWN);
    const where = pointer < 0 ? "halted" : `pointer at ${pointer}`;
    $("registers").textContent = [where, ...run.memory.registers.map((name, at) => `${name}=${registers[at]}`)].join(" · ");
    const more = (left, side) => (left ? `${number.format(left)} more ${side}` : "");
    const reversed = run.memory.newest_first;
    $("before").textContent = reversed ? more(count - to, "above") : more(from, "before");
    $("after").textContent = reversed ? more(from, "below") : more(count - to, "after");
    const fresh = step > first && step <= last; // nothing has just happened at the beginning, nor at the fault
    const changed = fresh ? now.changed : new Set();
    const read = fresh ? row(step - 1).pointer : -1;
    const lines = [];
    const seen = new Set();
    for (let at = from; at < to; at++) {
      const kind = kindOf(at, present, changed, read);
      const line = document.createElement("li");
      if (kind) { line.className = kind; seen.add(kind); }
      if (kind === "here") line.setAttribute("aria-current", "true");
      for (const [name, text] of [["mark", MARKS[kind]?.[0] ?? ""], ["address", at], ["text", run.texts[now.windows[at]]]]) {
        const part = document.createElement("span");
        part.className = name;
        part.textContent = text;
        line.append(part);
      }
      lines.push(line);
    }
    if (!lines.length) {
      const line = document.createElement("li");
      line.className = "empty";
      line.textContent = "empty";
      lines.push(line);
    }
    $("windows").style.setProperty("--digits", String(Math.max(to - 1, 10)).length);
    $("windows").replaceChildren(...lines);
    $("legend").textContent = Object.entries(MARKS).filter(([kind]) => seen.has(kind)).map(([, [mark, words]]) => `${mark} ${words}`).join("\u2003");
  }

  // ---- moving about

  let shown = first;
  let playing = null;

  function show(step, duration = 0) {
    shown = Math.max(first, Math.min(end, step));
    seek(shown);
    drawPicture(duration);
    drawStep(shown);
    drawMemory(shown);
    const words = shown > last ? `the fault at step ${number.format(run.fault.step)}` : `step ${number.format(shown)} of ${number.format(run.steps)}`;
    $("scrub").value = shown;
    $("scrub").setAttribute("aria-valuetext", words);
    if (document.activeElement !== $("goto")) $("goto").value = shown;
    if (!playing) $("announce").textContent = words;
    for (const id of ["home", "back"]) $(id).disabled = shown === first;
    for (const id of ["next", "end"]) $(id).disabled = shown === end;
    if (!playing) link();
  }

  function link() {
    if (location.hash !== `#step=${shown}`) history.replaceState(null, "", `#step=${shown}`);
  }

  function by(count) {
    pause();
    show(shown + count, Math.abs(count) === 1 ? 380 : 0);
  }

  function to(step) {
    pause();
    show(step, Math.abs(step - shown) === 1 ? 380 : 0);
  }

  function pause() {
    if (!playing) return;
    cancelAnimationFrame(playing.frame);
    playing = null;
    button();
    show(shown);
  }

  function play() {
    if (shown === end) show(first);
    playing = { frame: 0, since: performance.now() };
    button();
    const tick = (time) => {
      const speed = Number($("speed").value);
      const due = Math.floor(((time - playing.since) * speed) / 1000);
      if (due > 0) {
        playing.since += (due * 1000) / speed;
        show(shown + due, due === 1 ? Math.min(420, 850 / speed) : 0);
        if (shown === end) { pause(); return; }
      }
      playing.frame = requestAnimationFrame(tick);
    };
    playing.frame = requestAnimationFrame(tick);
  }

  function button() {
    $("play").setAttribute("aria-label", playing ? "Pause" : "Play");
    $("play-icon").setAttribute("d", playing ? "M5 4h4v12H5zM11 4h4v12h-4z" : "M6 3.5v13l11-6.5z");
  }

  function linked() {
    const found = /^#step=([0-9]{1,9})$/.exec(location.hash);
    return found ? Number(found[1]) : shown;
  }

  const toggle = () => (playing ? pause() : play());
  const jump = () => { pause(); $("goto").focus(); $("goto").select(); };
  const keys = {
    ArrowRight: () => by(1), n: () => by(1), ArrowLeft: () => by(-1), p: () => by(-1),
    PageDown: (event) => by(event.shiftKey ? 100 : 10), PageUp: (event) => by(event.shiftKey ? -100 : -10),
    Home: () => to(first), End: () => to(end), " ": toggle, g: jump, t: changeTheme,
  };

  document.addEventListener("keydown", (event) => {
    const inside = event.target.closest("select, #goto, pre:focus");
    const pressing = event.key === " " && event.target.closest("button, summary");
    const act = Object.hasOwn(keys, event.key) ? keys[event.key] : null;
    if (!act || inside || pressing || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    act(event);
  });
  $("scrub").addEventListener("input", () => { pause(); show(Number($("scrub").value)); });
  $("jump").addEventListener("submit", (event) => { event.preventDefault(); to(Number($("goto").value)); $("goto").blur(); });
  $("goto").addEventListener("change", () => to(Number($("goto").value)));
  $("goto").addEventListener("blur", () => { $("goto").value = shown; });
  $("home").addEventListener("click", () => to(first));
  $("back").addEventListener("click", () => by(-1));
  $("next").addEventListener("click", () => by(1));
  $("end").addEventListener("click", () => to(end));
  $("play").addEventListener("click", toggle);
  $("theme").addEventListener("click", changeTheme);
  addEventListener("hashchange", () => { if (linked() !== shown) to(linked()); });

  // ---- what stays the same

  $("title").textContent = run.title;
  $("problem").textContent = run.problem;
  $("problem").title = run.problem;
  $("outcome").textContent = run.outcome;
  $("outcome").classList.add(run.outcome);
  $("total").textContent = `of ${number.format(run.fault ? end : run.steps)}`;
  $("scrub").min = $("goto").min = first;
  $("scrub").max = $("goto").max = end;
  if (run.fault) {
    $("fault-kind").textContent = `${run.fault.kind} fault at step ${number.format(run.fault.step)}`;
    $("fault-message").textContent = run.fault.message;
  }
  $("reason").hidden = !run.reason;
  $("reason").textContent = `No plan solves it: ${run.reason}`;
  $("memory-title").textContent = `Memory: ${run.memory.name}`;
  $("windows").classList.toggle("newest-first", run.memory.newest_first);
  for (const [name, value] of run.facts) {
    const term = document.createElement("dt");
    const said = document.createElement("dd");
    term.textContent = name;
    said.textContent = value;
    $("facts").append(term, said);
  }
  show(location.hash ? linked() : Math.max(first, 1)); // the beginning has neither prompt nor target
})();
