"use strict";
// A stack, beside which there may be records (coc_programs/heap).
const splitRecord = (text) => /^([^ :]+): (.*)$/.exec(text)?.slice(1);
const recordNamed = (text) => (text.includes(" AT ") ? text.slice(text.lastIndexOf(" AT ") + 4) : null);

// The contents of a record with some of its fields changed: `a=C1 b=-` and `b=C2` give `a=C1 b=C2`.
function withChanged(contents, fields) {
  if (fields.split("=").length >= contents.split("=").length) return fields;
  let text = ` ${contents} `;
  for (const field of fields.split(" ")) {
    const begin = text.indexOf(` ${field.split("=")[0]}=`) + 1 || text.length;
    text = text.slice(0, begin) + field + text.slice(text.indexOf(" ", begin));
  }
  return text.slice(1, -1);
}

// Contents are never changed: a list of { text, below, depth, record }, and records by name.
function buildStack(convention) {
  const names = buildNames(convention);
  const isNamed = new RegExp(`^(?:${convention.letters.join("|") || "(?!)"})[0-9]+$`);

  function pushed(text, below, records) {
    const record = records.size ? recordNamed(text) : null;
    if (record !== null && !records.has(record)) throw new Error(`there is no record ${record}`);
    return { text, below, depth: (below?.depth ?? 0) + 1, record };
  }

  function start() {
    const lines = convention.records ? convention.first.split("\n") : [convention.first];
    const instruction = lines.pop(), records = new Map(lines.map(splitRecord));
    return { stack: pushed(instruction, null, records), records };
  }

  function read({ stack, records }) {
    if (!stack) return null;
    const window = stack.record === null ? stack.text : `${stack.text}: ${records.get(stack.record)}`;
    const numbered = names.number(window);
    return { ...numbered, window, fields: { instruction: numbered.text }, fresh: records.size + 1 };
  }

  function write({ stack, records }, seen, target) {
    const meant = (text) => {
      const found = names.back(text, seen);
      return convention.records ? found.replace(/([A-Za-z]+)\+1/g, `$1${seen.fresh}`) : found;
    };
    target.emits.forEach(meant); // notes, too, may have no name that the prompt has not
    const written = target.writes.map(({ instruction }) => meant(instruction));
    const isRecord = (text) => convention.records && splitRecord(text);
    const stored = written.filter(isRecord).map(splitRecord);
    if (stored.length) records = new Map(records);
    for (const [name, fields] of stored) {
      const old = records.get(name);
      records.set(name, old === undefined ? fields : withChanged(old, fields));
      if (old === undefined && isNamed.test(name) && name.replace(/^[A-Za-z]+/, "") !== String(records.size)) {
        throw new Error(`there is no record ${name}`);
      }
    }
    const instructions = written.filter((text) => !isRecord(text));
    if (target.result !== null && instructions.length) throw new Error("a result is returned, and there is more to run");
    stack = stack.below;
    for (const each of instructions) stack = pushed(each, stack, records);
    if (target.result !== null && stack) {
      if (!stack.text.endsWith(" GOT ?")) throw new Error("a result is returned, and the window below does not wait for one");
      stack = { ...stack, text: stack.text.slice(0, -1) + meant(target.result) };
    }
    return { stack, records };
  }

  function windows({ stack, records }) {
    const texts = [];
    for (let each = stack; each; each = each.below) texts.push(each.text);
    return [...[...records].map(([name, text]) => `${name}: ${text}`), ...texts.reverse()];
  }

  const pointer = ({ stack, records }) => (stack ? records.size + stack.depth - 1 : -1);
  return { start, read, write, windows, pointer, meant: names.back };
}
