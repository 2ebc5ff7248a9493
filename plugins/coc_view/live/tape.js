"use strict";
// A tape with addresses, as coc_core/memories has it.
function plain(text) {
  if (!/^(-1|0|[1-9][0-9]{0,18})$/.test(text)) throw new Error(`“${text}” is not a plain decimal number`);
  return BigInt(text);
}

// The value of a sum of registers and numbers, which has one spelling only: `prev`, `NEXT_ID+2`, `-1`.
function evaluate(text, registers) {
  if (!/^[+-]?([A-Za-z_]+|0|[1-9][0-9]{0,18})([+-]([A-Za-z_]+|0|[1-9][0-9]{0,18}))*$/.test(text)) {
    throw new Error(`“${text}” is not a sum of registers and numbers`);
  }
  const counts = {};
  let number = 0n;
  for (const [, sign, term] of text.matchAll(/([+-]?)(\w+)/g)) {
    const one = sign === "-" ? -1 : 1;
    if (/^[0-9]/.test(term)) number += BigInt(one) * BigInt(term);
    else counts[term] = (counts[term] ?? 0) + one;
  }
  const names = Object.keys(counts).sort();
  const terms = (one, sign) => names.map((name) => `${sign}${name}`.repeat(Math.max(0, one * counts[name]))).join("");
  const sum = terms(1, "+") + terms(-1, "-");
  const usual = (sum + (number || !sum ? (number < 0n ? "" : "+") + number : "")).replace(/^\+/, "");
  if (text !== usual || text.length > 64) throw new Error(`“${text}” must be written “${usual}”`);
  const unknown = names.find((name) => !Object.hasOwn(registers, name));
  if (unknown) throw new Error(`“${unknown}” is not a register`);
  const total = names.reduce((before, name) => before + BigInt(counts[name]) * registers[name], number);
  if (String(total).replace("-", "").length > 19) throw new Error(`the value of “${text}” has more than 19 digits`);
  return total;
}

// Contents are the texts of all windows and the address of the next one, -1 once it has halted. Where windows are
// `linked`, each ends with the address of the one that follows it, `prev`; else a step writes the one that follows.
function buildTape({ first, surface, symbolic }) {
  const linked = surface.write.includes("{prev}");
  const start = () => ({ texts: [first], next: 0 });

  function read({ texts, next }) {
    if (next < 0) return null;
    const window = texts[next], at = linked ? window.lastIndexOf(" prev=") : window.length;
    return { window, fields: { instruction: window.slice(0, at), PTR: next, NEXT_ID: texts.length, prev: window.slice(at + 6) } };
  }

  function write({ texts: before, next }, { fields }, { writes, registers }) {
    const known = { PTR: BigInt(next), NEXT_ID: BigInt(before.length), ...(linked && { prev: BigInt(fields.prev) }) };
    const value = (text) => (symbolic ? evaluate(text, known) : plain(text));
    const { PTR, NEXT_ID } = { ...registers, ...writes[0] }, texts = before.slice();
    if (PTR === undefined) throw new Error("the response names no pointer");
    const to = value(PTR);
    for (const each of writes) {
      const address = value(each.address), text = each.instruction + (linked ? ` prev=${value(each.prev)}` : "");
      if (address === BigInt(texts.length)) texts.push(text);
      else if (address !== -1n || to !== -1n) throw new Error(`wrote to address ${address}, where no window is next`);
    }
    const free = BigInt(texts.length);
    if (to < -1n || to >= free) throw new Error(`PTR=${to} has no window`);
    if (NEXT_ID !== undefined && value(NEXT_ID) !== free) throw new Error(`NEXT_ID=${NEXT_ID}, but the next free address is ${free}`);
    return { texts, next: Number(to) };
  }

  return { start, read, write, windows: ({ texts }) => texts, pointer: ({ next }) => next, meant: (text) => text };
}
