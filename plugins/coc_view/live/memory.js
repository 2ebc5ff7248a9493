"use strict";
// The memories with their conventions, as coc_core/memories and coc_programs/heap have them: a stack, a heap, which has
// records beside a stack, and a tape. `convention` is what coc_view/live/document.py says of a run's convention.

// A line with named fields, of which each ends where the text after it begins; the last one ends with the line.
function buildTemplate(text) {
  const [head, ...rest] = text.split(/\{([A-Za-z_][A-Za-z0-9_]*)\}/);
  const names = rest.filter((_, at) => at % 2 === 0), literals = rest.filter((_, at) => at % 2 === 1);

  // The text of each field by name; null for a line of another form.
  function match(line) {
    if (!line.startsWith(head)) return null;
    const found = {};
    let place = head.length;
    for (const [at, name] of names.entries()) {
      const literal = literals[at];
      let end = at < names.length - 1 ? line.indexOf(literal, place) : line.length - literal.length;
      if (name in found) end = place + found[name].length;
      const value = line.slice(place, end);
      if (end < place || value.includes("\n") || !line.startsWith(literal, end)) return null;
      if (found[name] !== undefined && found[name] !== value) return null;
      found[name] = value;
      place = end + literal.length;
    }
    return place === line.length ? found : null;
  }

  const fill = (values) => head + names.map((name, at) => values[name] + literals[at]).join("");
  return { head, names, match, fill };
}

// Reads targets: what they emit, what they write, the registers and a result; throws for what is none.
function buildTargets({ surface, grammar, results, mostWrites }) {
  const write = buildTemplate(surface.write);
  const registers = surface.registers === null ? null : buildTemplate(surface.registers);
  const form = (line) => new RegExp(`^(?:${line.replaceAll("§", "(?:\\+1|№)").replaceAll("№", "[1-9][0-9]{0,18}")})$`);
  const forms = Object.fromEntries(Object.entries(grammar).map(([kind, lines]) => [kind, lines.map(form)]));
  const heads = ["OUTPUT ", write.head, ...(registers ? [registers.head] : []), ...(results ? ["RETURN "] : [])];
  const separators = ["\n", ...heads.map((head) => ` ${head}`)];

  function check(kind, text) {
    if (!forms[kind].some((form) => form.test(text))) throw new Error(`the response has “${text}”, which is none of the domain's ${kind}`);
    return text;
  }

  function items(text) {
    const ends = new Set([text.length]);
    for (const each of separators) {
      for (let at = text.indexOf(each); at >= 0; at = text.indexOf(each, at + 1)) ends.add(at);
    }
    let begin = 0;
    return [...ends].sort((one, other) => one - other).map((end) => {
      const item = text.slice(begin, end);
      begin = end + 1;
      return item;
    });
  }

  return (text) => {
    const target = { emits: [], actions: [], writes: [], result: null, registers: null };
    if (!/^[ -~\n]+$/.test(text)) throw new Error("the response has something that is no text, or is empty");
    for (const item of items(text)) {
      const written = write.match(item), values = registers?.match(item);
      if (item.startsWith("OUTPUT ")) {
        target.emits.push(item);
        target.actions.push(check("actions", item.slice("OUTPUT ".length)));
      } else if (written) {
        check("instructions", written.instruction);
        target.writes.push(written);
      } else if (values) {
        if (target.registers) throw new Error("the registers are written twice");
        target.registers = values;
      } else if (results && item.startsWith("RETURN ")) {
        if (target.result !== null) throw new Error("two results are returned");
        target.result = check("results", item.slice("RETURN ".length));
      } else target.emits.push(check("notes", item));
    }
    if (registers && !target.registers) throw new Error(`the response ends without “${surface.registers}”`);
    const parts = [...target.emits, ...target.writes.map(write.fill)];
    if (target.result !== null) parts.push(`RETURN ${target.result}`);
    const end = registers ? (target.writes.length ? surface.join : surface.close) : "";
    const usual = [parts.join(surface.join), registers ? registers.fill(target.registers) : ""].filter(Boolean).join(end);
    if (usual !== text) throw new Error("the parts of the response are out of order or wrongly spaced");
    if (mostWrites !== null && target.writes.length > mostWrites) throw new Error("the response writes too many windows");
    return target;
  };
}

// ---- local names

// A prompt has the names of a window numbered in the order in which they stand there; a target uses these numbers. Names
// that the step compares, and that are the same, have the same number: `compared` has the numbers of those, by prompt.
// `any` are the letters of a record of any class, which may be taken for one of some class.
function buildNames({ letters, any, compared }) {
  if (!letters.length) return { number: (window) => ({ text: window, meant: [], known: null }), back: (text) => text };
  const name = new RegExp(`(?<![A-Za-z0-9])(${letters.join("|")})([0-9]+)`);
  const everyName = new RegExp(name, "g");

  function known(text) {
    const found = [...text.matchAll(everyName)];
    const places = (some) => some.map(([, , place]) => place);
    const more = any === null ? [] : places(found).map((place) => any + place);
    const ofAny = places(found.filter(([, kind]) => kind === any)).flatMap((place) => letters.map((kind) => kind + place));
    return new Set([...found.map(([all]) => all), ...more, ...ofAny]);
  }

  function number(window) {
    const parts = window.split(name); // a text, letters, a number, a text, letters, a number, ..., a text
    const meant = [""];
    for (let at = 2; at < parts.length; at += 3) {
      meant.push(parts[at]);
      parts[at] = String(meant.length - 1);
    }
    for (;;) {
      const text = parts.join("");
      const same = (compared[text] ?? []).find(([one, other]) => meant[one] === meant[other]);
      if (!same) return { text, meant, known: known(text) };
      const first = String(Math.min(...same)), second = String(Math.max(...same));
      for (let at = 2; at < parts.length; at += 3) if (parts[at] === second) parts[at] = first;
    }
  }

  // A text of a target with the names that it stands for, given what `number` gave for the window.
  const back = (text, read) => text.replace(everyName, (found, kind, place) => {
    if (!read.known.has(found)) throw new Error(`the response has ${found}, and the prompt has not`);
    return kind + read.meant[place];
  });
  return { number, back };
}

// ---- a stack, beside which there may be records

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

// ---- a tape

const TERM = /([+-]?)(?:([A-Za-z_]+)|(0|[1-9][0-9]{0,18}))/y;

// The value of a sum of registers and numbers, which has one spelling only: `prev`, `NEXT_ID+2`, `-1`.
function evaluate(text, registers) {
  const counts = new Map();
  let total = 0n, number = 0n, last;
  TERM.lastIndex = 0;
  while (TERM.lastIndex < text.length) {
    last = TERM.lastIndex;
    const [, sign, register, digits] = TERM.exec(text) ?? [];
    if (sign === undefined || (last && !sign)) throw new Error(`“${text}” is not a sum of registers and numbers`);
    const one = sign === "-" ? -1 : 1;
    if (register) counts.set(register, (counts.get(register) ?? 0) + one);
    else number += BigInt(one) * BigInt(digits);
  }
  const sorted = [...counts.keys()].sort();
  const shown = (sign) => sorted.map((register) => `${sign < 0 ? "-" : "+"}${register}`.repeat(Math.max(0, sign * counts.get(register)))).join("");
  const sum = shown(1) + shown(-1);
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
function buildTape(convention) {
  const linked = buildTemplate(convention.surface.write).names.includes("prev");
  const start = () => ({ texts: [convention.first], length: 1, next: 0 });

  function read({ texts, length, next }) {
    if (next < 0) return null;
    const window = texts[next], at = linked ? window.lastIndexOf(" prev=") : window.length;
    const fields = { instruction: window.slice(0, at), PTR: next, NEXT_ID: length, prev: window.slice(at + 6) };
    return { text: window, window, fields, known: null };
  }

  function write({ texts, length, next }, { fields }, { writes, registers }) {
    const given = { PTR: BigInt(next), NEXT_ID: BigInt(length), ...(linked && { prev: BigInt(fields.prev) }) };
    const value = (text) => (convention.symbolic ? evaluate(text, given) : plain(text));
    const named = { ...registers, ...writes[0] };
    if (named.PTR === undefined) throw new Error("the response names no pointer");
    const end = linked ? (each) => ` prev=${value(each.prev)}` : () => "";
    const to = value(named.PTR), free = named.NEXT_ID === undefined ? null : value(named.NEXT_ID);
    const written = writes.map((each) => [value(each.address), each.instruction + end(each)]);
    if (texts.length > length) texts = texts.slice(0, length); // contents share texts, of which later ones have more
    const added = [];
    for (const [address, text] of written) {
      if (address === BigInt(length + added.length)) added.push(text);
      else if (address !== -1n || to !== -1n) throw new Error(`wrote to address ${address}, where no window is next`);
    }
    length += added.length;
    if (to < -1n || to >= BigInt(length)) throw new Error(`PTR=${to} has no window`);
    if (free !== null && free !== BigInt(length)) throw new Error(`NEXT_ID=${free}, but the next free address is ${length}`);
    texts.push(...added);
    return { texts, length, next: Number(to) };
  }

  return { start, read, write, windows: ({ texts, length }) => texts.slice(0, length), pointer: ({ next }) => next, meant: (text) => text };
}

// A memory: `start()` gives its contents, `read(contents)` what is next with its `prompt`, null once it has halted, and
// `write(contents, read, text)` the contents after a target and its actions. It throws for what coc refuses, too.
function buildMemory(convention) {
  const memory = convention.addresses ? buildTape(convention) : buildStack(convention);
  const parse = buildTargets(convention), prompt = buildTemplate(convention.surface.prompt);
  return {
    ...memory,
    read(contents) {
      const found = memory.read(contents);
      return found && { ...found, prompt: prompt.fill(found.fields) };
    },
    write(contents, seen, text) {
      const target = parse(text);
      return { contents: memory.write(contents, seen, target), actions: target.actions.map((action) => memory.meant(action, seen)) };
    },
  };
}
