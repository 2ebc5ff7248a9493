"use strict";
// Reads the targets of a run's convention, of which coc_view/live/document.py gives the `surface` and the `grammar`.
const literally = (text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

// What finds a text of a form, whose numbers are written №.
const formOf = (pattern) => new RegExp(`^(?:${pattern.replaceAll("№", "[1-9][0-9]{0,18}")})$`);

// A line with named fields, of which each ends where the text after it begins; the last one ends with the line.
function buildTemplate(text) {
  const [head, ...rest] = text.split(/\{([A-Za-z_][A-Za-z0-9_]*)\}/);
  const names = rest.filter((_, at) => at % 2 === 0), ends = rest.filter((_, at) => at % 2 === 1);
  const patterns = names.map((name, at) => {
    const end = literally(ends[at]), any = at < names.length - 1 ? `(?:(?!${end})[^\n])*` : "[^\n]*";
    return (names.indexOf(name) < at ? `\\k<${name}>` : `(?<${name}>${any})`) + end;
  });
  const form = new RegExp(`^${literally(head)}${patterns.join("")}$`);
  return {
    head,
    names,
    match: (line) => form.exec(line)?.groups, // the text of each field by name; none for a line of another form
    fill: (values) => head + names.map((name, at) => values[name] + ends[at]).join(""),
  };
}

// Gives what reads a target: what it emits, what it writes, the registers and a result; throws for what is none.
function buildTargets({ surface, grammar, results, mostWrites }) {
  const write = buildTemplate(surface.write), registers = surface.registers && buildTemplate(surface.registers);
  const forms = Object.fromEntries(Object.entries(grammar).map(([kind, lines]) => [kind, lines.map(formOf)]));
  const heads = ["OUTPUT ", write.head, registers?.head, results && "RETURN "].filter(Boolean);
  const separator = new RegExp(`\n| (?=${heads.map(literally).join("|")})`);

  function check(kind, text) {
    if (forms[kind].some((each) => each.test(text))) return text;
    throw new Error(`the response has “${text}”, which is none of the domain's ${kind}`);
  }

  return (text) => {
    if (!/^[ -~\n]+$/.test(text)) throw new Error("the response has something that is no text, or is empty");
    const emits = [], actions = [], writes = [], ends = [], returned = [];
    for (const item of text.split(separator)) {
      const written = write.match(item), values = registers?.match(item);
      if (item.startsWith("OUTPUT ")) {
        emits.push(item);
        actions.push(check("actions", item.slice("OUTPUT ".length)));
      } else if (written) {
        check("instructions", written.instruction);
        writes.push(written);
      } else if (values) ends.push(values);
      else if (results && item.startsWith("RETURN ")) returned.push(check("results", item.slice("RETURN ".length)));
      else emits.push(check("notes", item));
    }
    if (ends.length !== (registers ? 1 : 0)) throw new Error(`the response must have “${surface.registers}” once`);
    if (returned.length > 1) throw new Error("two results are returned");
    if (mostWrites !== null && writes.length > mostWrites) throw new Error("the response writes too many windows");
    const parts = [...emits, ...writes.map(write.fill), ...returned.map((result) => `RETURN ${result}`)].join(surface.join);
    const usual = [parts, ...ends.map((values) => registers.fill(values))].filter(Boolean).join(writes.length ? surface.join : surface.close);
    if (usual !== text) throw new Error("the parts of the response are out of order or wrongly spaced");
    return { emits, actions, writes, registers: ends[0], result: returned[0] };
  };
}
