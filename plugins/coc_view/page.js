// Shows the timeline of a run; page.py describes its document. Texts only ever become text nodes.
(() => {
  const run = JSON.parse($("run").textContent);
  const { texts, fault } = run;
  const rows = rowsOf(run);
  const first = run.first_step, last = first + rows.length - 1;
  const end = fault ? last + 1 : last; // the place of the fault
  const draw = buildPictures(run, rows);
  const faultAt = fault && `the fault at step ${number.format(fault.step)}`;

  function changed({ windows: before }, { windows: count, changes }) {
    const windows = before.slice(0, count), places = new Set();
    for (let at = 0; at < changes.length; at += 2) {
      windows[changes[at]] = changes[at + 1];
      places.add(changes[at]);
    }
    return { windows, places };
  }
  const memories = buildStates(changed({ windows: [] }, rows[0]), (before, at) => changed(before, rows[at]));

  function showStep(step, { prompt, target, actions, pointer }, { windows }) {
    const faulty = step > last, read = faulty ? windows[pointer] : prompt;
    $("step-title").textContent = step === 0 ? "The beginning" : `Step ${number.format(step)}`;
    $("fault").hidden = !faulty;
    $("prompt-title").textContent = faulty ? "Window" : "Prompt";
    $("prompt").textContent = texts[read];
    $("target-title").textContent = faulty ? "What the model wrote" : "Target";
    $("target").textContent = faulty ? fault.text : texts[target];
    $("target").classList.toggle("wrong", faulty);
    for (const id of ["actions", "actions-title"]) $(id).hidden = faulty;
    $("actions").replaceChildren(...(faulty ? [] : actions).map((action) => element("li", texts[action])));
  }

  const view = {
    first, end, place: Math.max(first, Math.min(1, end)), // the beginning has neither prompt nor target
    get ended() { return view.place === end; },
    get words() { return view.place > last ? faultAt : `step ${number.format(view.place)} of ${number.format(run.steps)}`; },
    show(step, duration) {
      view.place = step;
      const at = Math.min(step, last) - first, { pointer, registers, waiting } = rows[at], { windows, places } = memories.at(at);
      draw(at, duration);
      showStep(step, rows[at], memories.at(at));
      const fresh = step > first && step <= last; // nothing has just happened at the beginning, nor at the fault
      const now = { pointer, registers, waiting, changed: fresh ? places : new Set(), read: fresh ? rows[at - 1].pointer : -1 };
      showMemory(run.memory, { length: windows.length, at: (place) => texts[windows[place]] }, now);
    },
    next: (duration) => view.run(1, duration),
    run: (count, duration) => view.show(Math.min(view.place + count, end), duration),
  };

  showRun(run);
  $("title").textContent = run.title;
  $("outcome").textContent = run.outcome;
  $("outcome").classList.add(run.outcome);
  $("total").textContent = `of ${number.format(fault ? end : run.steps)}`;
  if (fault) {
    $("fault-kind").textContent = `${fault.kind} fault at step ${number.format(fault.step)}`;
    $("fault-message").textContent = fault.message;
  }
  $("reason").hidden = !run.reason;
  $("reason").textContent = `No plan solves it: ${run.reason}`;
  buildPlayer(view);
})();
