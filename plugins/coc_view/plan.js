// Shows any part of a plan that is a grammar; plan.py describes its document. An item of a rule is the
// number of an earlier rule or, if it is negative, ~text. Places in the plan are BigInt: the number of actions before.
(() => {
  const plan = JSON.parse(document.getElementById("plan").textContent);
  const $ = (id) => document.getElementById(id);
  const { rules, texts, states } = plan;
  const PAGE = 20; // actions that are listed
  const PARTS = 10000n; // of the slider
  const number = new Intl.NumberFormat("en");
  const counted = (count, word) => `${number.format(count)} ${word}${BigInt(count) === 1n ? "" : "s"}`;

  // ---- the plan, computed from its rules

  const ends = []; // of each rule: a 0, the length of its first item, that of its first two, and so on
  for (const rule of rules) {
    const lengths = [0n];
    for (const item of rule) lengths.push(lengths.at(-1) + (item < 0 ? 1n : ends[item].at(-1)));
    ends.push(lengths);
  }
  const length = ends.at(-1).at(-1);
  const illegal = plan.illegal === null ? null : BigInt(plan.illegal);

  // The rules that a place lies in, from the outermost on, and the item of each that the place lies in or before.
  function path(place) {
    const found = [];
    let rule = rules.length - 1;
    for (;;) {
      let index = 0;
      while (index < rules[rule].length && ends[rule][index + 1] <= place) index++;
      found.push([rule, index]);
      const item = rules[rule][index];
      if (item === undefined || item < 0) return found;
      place -= ends[rule][index];
      rule = item;
    }
  }

  // The actions from one place to before another.
  function slice(start, stop) {
    const found = [];
    const pending = path(start).map(([rule, index], depth, all) => [rule, depth < all.length - 1 ? index + 1 : index]);
    while (pending.length && BigInt(found.length) < stop - start) {
      const top = pending.at(-1);
      const item = rules[top[0]][top[1]++];
      if (item === undefined) pending.pop();
      else if (item < 0) found.push(texts[~item]);
      else pending.push([item, 0]);
    }
    return found;
  }

  // ---- the states: a map from items to places, in which the item that was moved last is the last one

  function moveAll(state, moves) {
    for (const [item, place] of moves) {
      state.delete(item);
      state.set(item, place);
    }
  }

  const effects = []; // of each rule
  const effect = (item) => (item < 0 ? states.effects[~item] : effects[item]);
  for (const rule of states ? rules : []) {
    const moved = new Map();
    for (const item of rule) moveAll(moved, effect(item));
    effects.push(moved);
  }

  function stateAfter(place) {
    const state = new Map(states.start);
    for (const [rule, index] of path(place)) {
      for (let at = 0; at < index; at++) moveAll(state, effect(rules[rule][at]));
    }
    return state;
  }

  // ---- the puzzle

  const stage = $("stage");
  const drawn = states !== null && states.drawn;
  const draw = drawn ? buildStage(stage, states.items, states.posts, states.places.length, states.items.length) : null;

  function why(place) {
    if (!states) return "The actions of this domain aren't operators, so this page can't show a state.";
    if (illegal !== null && place > illegal) return `Action ${number.format(illegal + 1n)} is illegal, so there is no state here.`;
    return "";
  }

  function drawState(place, duration) {
    const reason = why(place);
    $("stateless").textContent = reason;
    $("stateless").hidden = !reason;
    stage.toggleAttribute("hidden", Boolean(reason) || !drawn);
    $("listed").hidden = Boolean(reason) || drawn;
    if (reason) return;
    const state = stateAfter(place);
    if (drawn) {
      const levels = states.places.map(() => 0);
      draw(states.places, new Map([...state].map(([item, at]) => [item, [at, levels[at]++]])), duration);
      return;
    }
    $("variables").replaceChildren(...[...state].sort(([one], [other]) => one - other).flatMap(([item, at]) => {
      const name = document.createElement("dt");
      const value = document.createElement("dd");
      name.textContent = states.items[item][0];
      value.textContent = states.places[at];
      return [name, value];
    }));
  }

  // ---- the actions

  const least = (one, other) => (one < other ? one : other);
  const most = (one, other) => (one > other ? one : other);

  function drawActions(place) {
    const page = BigInt(PAGE);
    const from = most(0n, least(place - page / 2n, length - page));
    const lines = slice(from, least(length, from + page)).map((action, at) => {
      const ordinal = from + BigInt(at) + 1n;
      const line = document.createElement("li");
      if (ordinal === place) line.setAttribute("aria-current", "true");
      line.className = ordinal === place ? "here" : ordinal < place ? "done" : "waiting";
      for (const [name, text] of [["mark", ordinal === place ? "▶" : ""], ["address", number.format(ordinal)], ["text", action]]) {
        const part = document.createElement("span");
        part.className = name;
        part.textContent = text;
        line.append(part);
      }
      return line;
    });
    $("place").textContent = place ? `After action ${number.format(place)}` : "The beginning";
    $("actions").style.setProperty("--digits", number.format(length).length);
    $("actions").replaceChildren(...lines);
  }

  // ---- moving about

  let shown = 0n;

  function to(place) {
    const before = shown;
    shown = most(0n, least(length, place));
    drawState(shown, shown - before === 1n || before - shown === 1n ? 380 : 0);
    drawActions(shown);
    const words = `${number.format(shown)} of ${counted(length, "action")}`;
    $("scrub").value = length ? Number((shown * PARTS) / length) : 0;
    $("scrub").setAttribute("aria-valuetext", words);
    $("announce").textContent = `after ${words}`;
    if (document.activeElement !== $("goto")) $("goto").value = shown;
    for (const id of ["home", "page-back", "back"]) $(id).disabled = shown === 0n;
    for (const id of ["next", "page-next", "end"]) $(id).disabled = shown === length;
    if (location.hash !== `#action=${shown}`) history.replaceState(null, "", `#action=${shown}`);
  }

  function linked() {
    const found = /^#action=([0-9]{1,201})$/.exec(location.hash);
    return found ? BigInt(found[1]) : shown;
  }

  function entered() {
    const digits = $("goto").value.replace(/[\s,._]/g, "");
    return /^[0-9]{1,201}$/.test(digits) ? BigInt(digits) : shown;
  }

  const by = (count) => to(shown + BigInt(count));
  const jump = () => { $("goto").focus(); $("goto").select(); };
  const keys = {
    ArrowRight: () => by(1), n: () => by(1), ArrowLeft: () => by(-1), p: () => by(-1),
    PageDown: () => by(PAGE), PageUp: () => by(-PAGE), Home: () => to(0n), End: () => to(length), g: jump, t: changeTheme,
  };

  document.addEventListener("keydown", (event) => {
    const act = Object.hasOwn(keys, event.key) ? keys[event.key] : null;
    if (!act || event.target.closest("#goto") || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    act();
  });
  $("scrub").addEventListener("input", () => to((BigInt($("scrub").value) * length) / PARTS));
  $("jump").addEventListener("submit", (event) => { event.preventDefault(); to(entered()); $("goto").blur(); });
  $("goto").addEventListener("blur", () => { $("goto").value = shown; });
  $("home").addEventListener("click", () => to(0n));
  $("page-back").addEventListener("click", () => by(-PAGE));
  $("back").addEventListener("click", () => by(-1));
  $("next").addEventListener("click", () => by(1));
  $("page-next").addEventListener("click", () => by(PAGE));
  $("end").addEventListener("click", () => to(length));
  $("theme").addEventListener("click", changeTheme);
  addEventListener("hashchange", () => { if (linked() !== shown) to(linked()); });

  // ---- what stays the same

  $("title").textContent = plan.title;
  $("problem").textContent = plan.problem;
  $("problem").title = plan.problem;
  $("outcome").textContent = plan.verdict;
  if (plan.verdict === "complete") $("outcome").classList.add("solved");
  if (plan.verdict === "illegal") $("outcome").classList.add("fault");
  $("length").textContent = counted(length, "action");
  $("rules").textContent = counted(rules.length, "rule");
  $("total").textContent = `of ${number.format(length)}`;
  $("goto").style.width = `${Math.max(9, String(length).length + 3)}ch`;
  to(linked());
})();
