"use strict";
// Reads the targets of a run's convention, of which coc_view/live/document.py gives the `surface` and the `grammar`.

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
  const form = (line) => new RegExp(`^(?:${line.replaceAll("№", "[1-9][0-9]{0,18}")})$`);
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
