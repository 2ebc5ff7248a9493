"use strict";
// Draws columns of items, which coc_core/domain/capabilities.py describes, into an SVG element. Texts only ever become text nodes.
const buildStage = (stage, items, posts, columns, levels) => {
  const SVG = "http://www.w3.org/2000/svg";
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const column = Math.max(34, Math.min(220, 640 / columns));
  const height = Math.max(7, Math.min(42, 340 / levels));
  const floor = height * (levels + 1.4);
  const shapes = new Map();
  const labels = [];

  function make(name, attributes, parent) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    parent.append(element);
    return element;
  }

  stage.setAttribute("viewBox", `0 0 ${column * columns} ${floor + 26}`);
  stage.setAttribute("preserveAspectRatio", "xMidYMax");
  const sizes = [...new Set(items.map(([, size]) => size))].sort((one, other) => other - one);
  const shades = sizes.length > 1 ? sizes.length : items.length;
  for (let at = 0; at < columns; at++) {
    const middle = (at + 0.5) * column;
    if (posts) make("line", { class: "post", x1: middle, x2: middle, y1: height * 0.9, y2: floor }, stage);
    const half = column * 0.46;
    make("line", { class: "ground-line", x1: middle - half, x2: middle + half, y1: floor + 2, y2: floor + 2 }, stage);
    labels.push(make("text", { class: "place", x: middle, y: floor + 20 }, stage));
  }
  items.forEach(([label, size], item) => {
    const group = make("g", { class: "item" }, stage);
    const width = column * 0.94 * size;
    make("rect", { x: -width / 2, y: 0, width, height, rx: Math.min(height * 0.32, 9) }, group);
    const font = Math.min(height * 0.56, 15);
    if (font >= 7.5 && width > font * 0.65 * label.length) {
      make("text", { x: 0, y: height / 2, "font-size": font }, group).textContent = label;
    }
    const shade = sizes.length > 1 ? sizes.indexOf(size) : item;
    group.style.setProperty("--hue", String(Math.round(255 + (190 * shade) / Math.max(shades - 1, 1)) % 360));
    shapes.set(item, { group, at: null });
  });

  const spot = (x, y) => `translate(${x}px, ${y}px)`;

  function move(places, duration) {
    const moved = [];
    for (const [item, shape] of shapes) {
      const lies = places.get(item);
      shape.group.style.display = lies ? "" : "none";
      if (!lies) { shape.at = null; continue; }
      const to = [(lies[0] + 0.5) * column, floor - (lies[1] + 1) * height];
      const from = shape.at;
      for (const old of shape.group.getAnimations()) old.cancel();
      shape.at = to;
      shape.group.style.transform = spot(...to);
      if (from && (from[0] !== to[0] || from[1] !== to[1])) moved.push([shape.group, from, to]);
    }
    if (!duration || still.matches) return;
    for (const [group, from, to] of moved) {
      const lifted = moved.length === 1 && from[0] !== to[0];
      const path = lifted ? [from, [from[0], 0], [to[0], 0], to] : [from, to];
      group.animate(path.map((at) => ({ transform: spot(...at) })), { duration, easing: "ease-in-out" });
    }
  }

  // Draws the names of the columns, and each item at its column and level; what has no place is hidden.
  return (names, places, duration) => {
    labels.forEach((label, at) => { label.textContent = names[at] || ""; });
    move(places, duration);
    const towers = names.map(() => []);
    for (const [item, [at, level]] of places) towers[at][level] = items[item][0];
    const spoken = towers.map((tower, at) => `${names[at] || at + 1}: ${tower.join(" ") || "empty"}`);
    stage.setAttribute("aria-label", `The puzzle, each place from the ground up. ${spoken.join("; ")}`);
  };
};

function changeTheme() {
  const set = document.documentElement.dataset.theme;
  const dark = set ? set === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "light" : "dark";
}
