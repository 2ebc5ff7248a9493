"use strict";
// A stack, beside which there may be records (coc_programs/heap).
const splitRecord = (text) => /^([^ :]+): (.*)$/.exec(text)?.slice(1);
const recordNamed = (text) => (text.includes(" AT ") ? text.slice(text.lastIndexOf(" AT ") + 4) : null);

// The contents of a record with some of its fields changed: `a=C1 b=-` and `b=C2` give `a=C1 b=C2`.
function withChanged(contents, fields) {
  if (fields.split("=").length >= contents.split("=").length) return fields;
  const [old, changed] = [contents, fields].map((text) => new Map(text.split(" ").map((field) => [field.split("=")[0], field])));
  return [...new Map([...old, ...changed]).values()].join(" ");
}

// Contents are never changed: a list of { text, below, depth, record }, and records by name.
function buildStack(convention) {
  const names = buildNames(convention);
  const instructionForms = convention.grammar.instructions.map(formOf);
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
    return { ...numbered, window, fields: { instruction: numbered.text } };
  }

  function write({ stack: { below: stack }, records }, seen, { emits, writes, result }) {
    const fresh = `$1${records.size + 1}`;
    const meant = (text) => names.back(text, seen).replace(/([A-Za-z]+)\+1/g, convention.records ? fresh : "$&");
    emits.forEach(meant); // notes, too, may have no name that the prompt has not
    const written = writes.map(({ instruction }) => meant(instruction));
    const isRecord = (text) => convention.records && splitRecord(text);
    records = new Map(records);
    for (const [name, fields] of written.filter(isRecord).map(splitRecord)) {
      const old = records.get(name);
      records.set(name, old === undefined ? fields : withChanged(old, fields));
      if (old === undefined && isNamed.test(name) && name.replace(/^[A-Za-z]+/, "") !== String(records.size)) throw new Error(`there is no record ${name}`);
    }
    const instructions = written.filter((text) => !isRecord(text));
    for (const each of instructions) stack = pushed(each, stack, records);
    if (result !== undefined && instructions.length) throw new Error("a result is returned, and there is more to run");
    if (result !== undefined && stack) {
      if (!stack.text.endsWith(" GOT ?")) throw new Error("a result is returned, and the window below does not wait for one");
      stack = { ...stack, text: stack.text.slice(0, -1) + meant(result) };
      if (!instructionForms.some((each) => each.test(stack.text))) throw new Error("no instruction can read the result");
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
