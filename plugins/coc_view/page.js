// Shows the timeline of a run; timeline.py describes its document. Texts only ever become text nodes.
(() => {
  const run = JSON.parse(document.getElementById("run").textContent);
  const first = run.first_step;
  const last = first + run.rows.length - 1;
  const end = run.fault ? last + 1 : last; // the place of the fault
  const KEYFRAME = 256; // steps from one full copy to the next

  // ---- the steps, rebuilt from their differences

  const now = { step: first - 1, windows: [], changed: new Set(), places: new Map(), labels: [], text: null };
  const keyframes = [];
  const extent = { columns: 1, levels: 1 };
  const row = (step) => Object.fromEntries(run.columns.map((name, at) => [name, run.rows[step - first][at]]));

  function forward() {
    const { windows, changes, picture } = row(++now.step);
    now.windows.length = windows;
    now.changed = new Set();
    for (let at = 0; at < changes.length; at += 2) {
      now.windows[changes[at]] = changes[at + 1];
      now.changed.add(changes[at]);
    }
    changePicture(now, picture, run.texts);
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
  const draw = buildStage(stage, run.items, run.posts, extent.columns, extent.levels);

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
    $("actions").replaceChildren(...(faulty ? [] : actions).map((action) => element("li", run.texts[action])));
  }

  function drawMemory(step) {
    const { pointer, registers, waiting } = row(now.step);
    const fresh = step > first && step <= last; // nothing has just happened at the beginning, nor at the fault
    const changed = fresh ? now.changed : new Set(), read = fresh ? row(step - 1).pointer : -1;
    const texts = { length: now.windows.length, at: (place) => run.texts[now.windows[place]] };
    showMemory(run.memory, texts, { pointer, registers, waiting, changed, read });
  }

  // ---- moving about

  let shown = first;
  let playing = null;

  function show(step, duration = 0) {
    shown = Math.max(first, Math.min(end, step));
    seek(shown);
    showPicture(now, draw, duration);
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
  listFacts(run.facts);
  show(location.hash ? linked() : Math.max(first, 1)); // the beginning has neither prompt nor target
})();
