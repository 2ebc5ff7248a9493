"use strict";
// Draws scenes, which coc_core/domain/scenes.py describes and coc_view/layout.py lays out, into an SVG element. Texts only ever
// become text nodes.
const buildStage = (svg, items, stage) => {
  if (!stage) return () => {};
  const SVG = "http://www.w3.org/2000/svg";
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const [width, height] = stage.size;
  const LINE = 20;

  function make(name, attributes, parent, text = "") {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = text;
    parent.append(element);
    return element;
  }

  const notes = Math.max(...stage.notes.map((lines) => lines.length));
  svg.setAttribute("viewBox", `0 0 ${Math.max(width + 4, notes && 340)} ${height + 4 + LINE * notes}`);
  svg.style.maxWidth = `${1.7 * Math.max(width, 200)}px`;
  const line = ([x1, y1, x2, y2, kind]) => make("line", { class: kind, x1, y1, x2, y2 }, svg);
  stage.lines.filter(([, , , , kind]) => kind !== "box").forEach(line);
  const places = stage.places.map(([, , , labelX, labelY, ...box]) => {
    const [x, y, wide, high] = box;
    const rect = box.length ? make("rect", { x, y, width: wide, height: high, rx: 2 }, svg) : null;
    const label = make("text", { x: labelX, y: labelY }, svg);
    label.style.fontSize = `${stage.font}px`;
    return { rect, label };
  });
  stage.lines.filter(([, , , , kind]) => kind === "box").forEach(line);
  const shapes = items.map(([label, wide, high, hue, size, up]) => {
    const group = make("g", { class: "item" }, svg);
    make("rect", { x: -wide / 2, y: -high, width: wide, height: high, rx: Math.min(6, high * 0.3) }, group);
    if (size) make("text", { x: 0, y: -up, class: stage.above ? "above" : "" }, group, label).style.fontSize = `${size}px`;
    group.style.setProperty("--hue", String(hue));
    return { group, at: null };
  });
  const note = make("g", {}, svg);

  const spot = ([x, y]) => `translate(${x}px, ${y}px)`;
  const footOf = ([at, level]) => {
    const [x, y, across] = stage.places[at];
    return [x + stage.step[0] * (level % across), y + stage.step[1] * Math.floor(level / across)];
  };

  function move(lying, duration) {
    const moved = [];
    shapes.forEach((shape, item) => {
      const lies = lying.get(item);
      shape.group.style.display = lies ? "" : "none";
      if (!lies) { shape.at = null; return; }
      const to = footOf(lies);
      const from = shape.at;
      for (const old of shape.group.getAnimations()) old.cancel();
      shape.at = to;
      shape.group.style.transform = spot(to);
      if (from && (from[0] !== to[0] || from[1] !== to[1])) moved.push([shape.group, from, to, items[item][2]]);
    });
    if (!duration || still.matches) return;
    for (const [group, from, to, high] of moved) {
      const lifted = stage.kind === "towers" && moved.length === 1 && from[0] !== to[0];
      const path = lifted ? [from, [from[0], high], [to[0], high], to] : [from, to];
      group.animate(path.map((at) => ({ transform: spot(at) })), { duration, easing: "ease-in-out" });
    }
  }

  // Draws the marks of the places and the note, and each item at its place and level; what has no place is hidden.
  return (numbers, lying, duration) => {
    const marks = numbers.slice(0, -1).map((number) => stage.marks[number]);
    places.forEach(({ rect, label }, at) => {
      const [text, look] = marks[at] ?? ["", ""];
      label.textContent = text;
      label.setAttribute("class", `place ${look}`);
      rect?.setAttribute("class", `cell ${look}`);
    });
    note.replaceChildren();
    stage.notes[numbers.at(-1)].forEach((text, row) => make("text", { x: 10, y: height + LINE * (row + 0.8) }, note, text));
    move(lying, duration);
    const held = marks.map(() => []);
    for (const [item, [at, level]] of lying) held[at][level] = items[item][0];
    const spoken = held.flatMap((things, at) => (things.length ? [`${marks[at][0] || at + 1}: ${things.join(" ")}`] : []));
    svg.setAttribute("aria-label", `The puzzle: what is in each place. ${spoken.join("; ") || "Nothing."}`);
  };
};

function changeTheme() {
  const set = document.documentElement.dataset.theme;
  const dark = set ? set === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "light" : "dark";
}
