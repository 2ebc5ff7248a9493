"use strict";
// What pages draw of a run: its pictures, the windows of its memory, facts. Texts only ever become text nodes.
const $ = (id) => document.getElementById(id);
const number = new Intl.NumberFormat("en");
const element = (name, text, kind = "") => Object.assign(document.createElement(name), { textContent: text, className: kind });

// The rows of a timeline, which coc_view/page.py describes, with the names of their parts.
const rowsOf = ({ columns, rows }) => rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));

// The picture after a change of it, as a row has it.
function changedPicture(picture, change, texts) {
  if (change === null) return picture;
  if (typeof change === "number") return { ...picture, text: texts[change] };
  const [labels, moves] = change, places = new Map(picture.places);
  for (let at = 0; at < moves.length; at += 3) {
    if (moves[at + 1] < 0) places.delete(moves[at]);
    else places.set(moves[at], [moves[at + 1], moves[at + 2]]);
  }
  return { labels: labels ?? picture.labels, places, text: null };
}

function showText(text) {
  $("stage").toggleAttribute("hidden", text !== null);
  $("picture").hidden = text === null;
  $("picture").textContent = text;
}

// Gives what draws the picture of each row, in so many milliseconds.
function buildPictures({ items, stage, texts }, rows) {
  const changes = rows.map(({ picture }) => picture);
  const start = changedPicture({ labels: [], places: new Map(), text: null }, changes[0], texts);
  const pictures = buildStates(start, (before, at) => changedPicture(before, changes[at], texts));
  $("stage").replaceChildren();
  const draw = buildStage($("stage"), items, stage);
  return (at, duration) => {
    const { labels, places, text } = pictures.at(at);
    showText(text);
    if (text === null) draw(labels, places, duration);
  };
}

const SHOWN = 15; // windows of the memory
const MARKS = { here: ["▶", "next"], new: ["+", "just written"], read: ["‹", "just read"], done: ["·", "not waiting to be run"] };

// Lists the windows about the pointer. `texts` has a `length` and a text `at` each place; `changed` has the places that
// are new or different, `read` is the one that was read, and `waiting` the range of those still to be run, or null.
function showMemory({ newest_first: reversed, registers: names }, texts, { pointer, registers, waiting, changed, read }) {
  const count = texts.length;
  const kindOf = (at) => {
    if (at === pointer) return "here";
    if (changed.has(at)) return "new";
    if (at === read) return "read";
    return waiting ? (at >= waiting[0] && at < waiting[1] ? "waiting" : "done") : "";
  };
  const centre = pointer < 0 ? count : pointer - Math.floor(SHOWN / 2);
  const from = Math.max(0, Math.min(centre, count - SHOWN)), to = Math.min(count, from + SHOWN);
  const where = pointer < 0 ? "halted" : `pointer at ${pointer}`;
  $("registers").textContent = [where, ...names.map((name, at) => `${name}=${registers[at]}`)].join(" · ");
  const more = (left, side) => (left ? `${number.format(left)} more ${side}` : "");
  $("before").textContent = reversed ? more(count - to, "above") : more(from, "before");
  $("after").textContent = reversed ? more(from, "below") : more(count - to, "after");
  const lines = count ? [] : [element("li", "empty", "empty")], seen = new Set();
  for (let at = from; at < to; at++) {
    const kind = kindOf(at), line = element("li", "", kind);
    seen.add(kind);
    if (kind === "here") line.setAttribute("aria-current", "true");
    line.append(element("span", MARKS[kind]?.[0] ?? "", "mark"), element("span", at, "address"), element("span", texts.at(at), "text"));
    lines.push(line);
  }
  $("windows").style.setProperty("--digits", String(Math.max(to - 1, 10)).length);
  $("windows").replaceChildren(...lines);
  $("windows").classList.toggle("newest-first", reversed);
  $("legend").textContent = Object.entries(MARKS).filter(([kind]) => seen.has(kind)).map(([, [mark, words]]) => `${mark} ${words}`).join("\u2003");
}

// What stays the same in a run.
function showRun({ problem, memory, facts }) {
  $("problem").textContent = $("problem").title = problem;
  $("memory-title").textContent = `Memory: ${memory.name}`;
  $("facts").replaceChildren(...facts.flatMap(([name, value]) => [element("dt", name), element("dd", value)]));
}
