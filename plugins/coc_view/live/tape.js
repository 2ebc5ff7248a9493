"use strict";
// A tape with addresses, as coc_core/memories has it.
const TERM = /([+-]?)(?:([A-Za-z_]+)|(0|[1-9][0-9]{0,18}))/y;

// The value of a sum of registers and numbers, which has one spelling only: `prev`, `NEXT_ID+2`, `-1`.
function evaluate(text, registers) {
  const counts = new Map();
  let total = 0n, number = 0n;
  TERM.lastIndex = 0;
  while (TERM.lastIndex < text.length) {
    const begin = TERM.lastIndex, [, sign, register, digits] = TERM.exec(text) ?? [];
    if (sign === undefined || (begin && !sign)) throw new Error(`“${text}” is not a sum of registers and numbers`);
    const one = sign === "-" ? -1 : 1;
    if (register) counts.set(register, (counts.get(register) ?? 0) + one);
    else number += BigInt(one) * BigInt(digits);
  }
  const sorted = [...counts].sort();
  const terms = (one, sign) => sorted.map(([register, count]) => `${sign}${register}`.repeat(Math.max(0, one * count)));
  const sum = [...terms(1, "+"), ...terms(-1, "-")].join("");
  const usual = (sum + (number || !sum ? (number < 0n ? "" : "+") + number : "")).replace(/^\+/, "");
  if (text !== usual || text.length > 64) throw new Error(`“${text}” must be written “${usual}”`);
  for (const [register, count] of counts) {
    if (!(register in registers)) throw new Error(`“${register}” is not a register`);
    total += BigInt(count) * registers[register];
  }
  if (String(total + number).replace("-", "").length > 19) throw new Error(`the value of “${text}” has more than 19 digits`);
  return total + number;
}

function plain(text) {
  if (!/^(-1|0|[1-9][0-9]{0,18})$/.test(text)) throw new Error(`“${text}” is not a plain decimal number`);
  return BigInt(text);
}

// Contents are the texts of all windows and the address of the next one, -1 once it has halted. Where windows are
// `linked`, each ends with the address of the one that follows it, `prev`; else a step writes the one that follows.
function buildTape({ first, surface, symbolic }) {
  const linked = buildTemplate(surface.write).names.includes("prev");
  const start = () => ({ texts: [first], next: 0 });

  function read({ texts, next }) {
    if (next < 0) return null;
    const window = texts[next], at = linked ? window.lastIndexOf(" prev=") : window.length;
    const fields = { instruction: window.slice(0, at), PTR: next, NEXT_ID: texts.length, prev: window.slice(at + 6) };
    return { text: window, window, fields };
  }

  function write({ texts, next }, { fields }, { writes, registers }) {
    const known = { PTR: BigInt(next), NEXT_ID: BigInt(texts.length), ...(linked && { prev: BigInt(fields.prev) }) };
    const value = (text) => (symbolic ? evaluate(text, known) : plain(text));
    const named = { ...registers, ...writes[0] };
    if (named.PTR === undefined) throw new Error("the response names no pointer");
    const to = value(named.PTR), free = named.NEXT_ID === undefined ? null : value(named.NEXT_ID);
    const written = writes.map((each) => [value(each.address), each.instruction + (linked ? ` prev=${value(each.prev)}` : "")]);
    texts = texts.slice();
    for (const [address, text] of written) {
      if (address === BigInt(texts.length)) texts.push(text);
      else if (address !== -1n || to !== -1n) throw new Error(`wrote to address ${address}, where no window is next`);
    }
    const count = BigInt(texts.length);
    if (to < -1n || to >= count) throw new Error(`PTR=${to} has no window`);
    if (free !== null && free !== count) throw new Error(`NEXT_ID=${free}, but the next free address is ${count}`);
    return { texts, next: Number(to) };
  }

  return { start, read, write, windows: ({ texts }) => texts, pointer: ({ next }) => next, meant: (text) => text };
}
