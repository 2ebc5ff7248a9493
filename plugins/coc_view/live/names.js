"use strict";
// A prompt has the names of a window numbered in the order in which they stand there; a target uses these numbers. Names
// that the step compares, and that are the same, have the same number: `compared` has the numbers of those, by prompt.
// `any` are the letters of a record of any class, which may be taken for one of some class.
function buildNames({ letters, any, compared }) {
  const name = new RegExp(`(?<![A-Za-z0-9])(${letters.join("|") || "(?!)"})([0-9]+)`);
  const everyName = new RegExp(name, "g");

  function known(text) {
    const found = [...text.matchAll(everyName)];
    const taken = found.flatMap(([, kind, place]) => (kind === any ? letters : [kind, any]).map((each) => each + place));
    return new Set(taken);
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
      const same = compared[text]?.find(([one, other]) => meant[one] === meant[other]);
      if (!same) return { text, meant, known: known(text) };
      const [first, second] = same.toSorted((one, other) => one - other).map(String);
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
