"use strict";
// Moves about in a run by keys, buttons, a slider and a link. `view` has the `first` place and the `end`, the `place` that
// is shown, its name in `words`, and whether it has `ended`; `show(place, duration)` shows another one, `next(duration)`
// goes on by a step, and `run(count, duration)` by as many units of the speed as are due. `acts` are those of more buttons.
function buildPlayer(view, acts = {}) {
  const SLOW = 380; // milliseconds in which a picture changes
  let playing = null;

  // Shows where we are.
  function refresh() {
    const { first, end, words } = view, place = Math.floor(view.place);
    for (const id of ["scrub", "goto"]) Object.assign($(id), { min: first, max: end });
    $("scrub").value = place;
    $("scrub").setAttribute("aria-valuetext", words);
    if (document.activeElement !== $("goto")) $("goto").value = place;
    for (const id of ["home", "back"]) $(id).disabled = view.place <= first;
    for (const id of ["next", "end"]) $(id).disabled = view.ended;
    $("play").setAttribute("aria-label", playing ? "Pause" : "Play");
    $("play-icon").setAttribute("d", playing ? "M5 4h4v12H5zM11 4h4v12h-4z" : "M6 3.5v13l11-6.5z");
    if (playing) return;
    $("announce").textContent = words;
    if (location.hash !== `#step=${place}`) history.replaceState(null, "", `#step=${place}`);
  }

  function pause() {
    if (playing) cancelAnimationFrame(playing.frame);
    playing = null;
    refresh();
  }

  function play() {
    if (view.ended) view.show(view.first, 0);
    playing = { frame: 0, since: performance.now() };
    const tick = (time) => {
      const speed = Number($("speed").value), due = Math.floor(((time - playing.since) * speed) / 1000);
      if (due > 0) {
        playing.since += (due * 1000) / speed;
        view.run(due, due === 1 ? Math.min(420, 850 / speed) : 0);
      }
      if (view.ended) return pause();
      refresh();
      playing.frame = requestAnimationFrame(tick);
    };
    tick(playing.since);
  }

  const paused = (act) => (event) => { pause(); act(event); refresh(); };
  const to = paused((place) => view.show(Math.max(view.first, Math.min(view.end, place)), Math.abs(place - view.place) === 1 ? SLOW : 0));
  const by = (count) => to(Math.ceil(view.place) + count);
  const linked = () => Number(/^#step=([0-9]{1,9})$/.exec(location.hash)?.[1] ?? view.place);

  const buttons = {
    home: () => to(view.first), back: () => by(-1), next: paused(() => view.next(SLOW)), end: () => to(view.end),
    play: () => (playing ? pause() : play()), theme: changeTheme,
  };
  for (const [id, act] of Object.entries(acts)) buttons[id] = paused(act);
  for (const [id, act] of Object.entries(buttons)) $(id).addEventListener("click", act);
  const keys = {
    ArrowRight: buttons.next, n: buttons.next, ArrowLeft: buttons.back, p: buttons.back, Home: buttons.home, End: buttons.end,
    " ": buttons.play, t: changeTheme, ".": buttons.token, g: paused(() => $("goto").select()),
    PageDown: (event) => by(event.shiftKey ? 100 : 10), PageUp: (event) => by(event.shiftKey ? -100 : -10),
  };
  document.addEventListener("keydown", (event) => {
    const inside = event.target.closest("select, input[type=number], #noise, pre:focus");
    const pressing = event.key === " " && event.target.closest("button, summary");
    const act = Object.hasOwn(keys, event.key) && keys[event.key];
    if (!act || inside || pressing || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    act(event);
  });
  $("scrub").addEventListener("input", () => to(Number($("scrub").value)));
  $("goto").addEventListener("change", () => to(Number($("goto").value)));
  $("jump").addEventListener("submit", (event) => { event.preventDefault(); $("goto").blur(); });
  addEventListener("hashchange", () => { if (linked() !== Math.floor(view.place)) to(linked()); });
  if (location.hash === "#playing" && !matchMedia("(prefers-reduced-motion: reduce)").matches) play();
  else to(linked());
  return { to };
}
