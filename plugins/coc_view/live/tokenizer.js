"use strict";
// Text to token ids and back, as coc_transformer/tokenizer does.
const BOS = 1, EOS = 2, UNK = 3, SPECIALS = 4;
const FIELD = 0, ITEM = 1, SYMBOL = 2, SEPARATOR_KIND = 3; // which counter a token advances
const NAME = "[A-Za-z]+[0-9]+";
const ADJACENT = "\u2060"; // stands between two names that have nothing between them
const IMPLIED = ", "; // stands between two names that nothing stands between in tokens
const NO_TEXT = "\ufffd"; // stands for whatever has no text
const SPACE = "\u2581"; // stands for a space where tokens are merged

const reversed = (digits) => [...digits].reverse().join("");

// A number in other digits, given what stands before it in its own; its leading zeros stay.
const inBase = (digits, prefix, base) => digits.replace(/^(0*(?=.))(.*)$/, (_, zeros, rest) => zeros + BigInt(prefix + rest).toString(base));

// Rewrites each number; between two names leaves out `dropped`, and puts `added` where there is nothing.
function rewritten(text, dropped, added, number) {
  const found = new RegExp(`((?<![A-Za-z])${NAME}(?:(?:${dropped})?${NAME})*)|[0-9]+`, "g");
  const between = /(?<=[0-9])(?=[A-Za-z])/g;
  return text.replace(found, (all, names) => names?.replace(between, added).replaceAll(dropped, "") ?? number(all));
}

function kindOf(token) {
  if (token === "\n") return SEPARATOR_KIND;
  if (/^[0-9]$/.test(token)) return SYMBOL;
  return new RegExp(`^(?:${NAME}|[\\[\\]() ]*,[\\[\\]() ,]*)$`).test(token) ? ITEM : FIELD;
}

// Joins neighbouring parts of a word as long as some pair of them is among the merges, the earliest merge first.
function merged(parts, ranks) {
  for (;;) {
    const rankAt = (at) => ranks.get(`${parts[at]} ${parts[at + 1]}`) ?? Infinity;
    const best = Math.min(...parts.map((_, at) => rankAt(at)));
    if (best === Infinity) return parts;
    const at = parts.findIndex((_, place) => rankAt(place) === best);
    parts = parts.toSpliced(at, 2, parts[at] + parts[at + 1]);
  }
}

// What `tokenizer.json` describes; `dialect` is the index of the dialect among those of the checkpoint.
function buildTokenizer(file, dialect) {
  const { vocab, merges } = file.model;
  const specials = file.added_tokens.length;
  const ids = new Map(Object.entries(vocab));
  const names = [...ids.keys()].sort((one, other) => vocab[one] - vocab[other]);
  const inChunks = file.pre_tokenizer.type === "Split"; // names, digits and what is between them; else words
  const pattern = inChunks ? new RegExp(file.pre_tokenizer.pattern.Regex, "gu") : /\n|▁?[^▁\n]+|▁/gu;
  const binary = pattern.source.includes("[01]");
  const ranks = new Map(merges.map(([left, right], rank) => [`${left} ${right}`, rank]));
  const write = (digits) => reversed(binary ? inBase(digits, "", 2) : digits);
  const read = (digits) => (binary && /[^01]/.test(digits) ? NO_TEXT : inBase(reversed(digits), binary ? "0b" : "", 10));

  function encode(text) {
    const exact = () => rewritten(text.replaceAll(ADJACENT, NO_TEXT), IMPLIED, ADJACENT, write);
    const normal = inChunks ? exact() : text.replaceAll(SPACE, NO_TEXT).replaceAll(" ", SPACE);
    const parts = (piece) => (inChunks && ids.has(piece) ? [piece] : merged([...piece], ranks));
    return (normal.match(pattern) ?? []).flatMap(parts).map((part) => ids.get(part) ?? UNK);
  }

  function decode(tokens) {
    const text = tokens.map((id) => (id < specials ? NO_TEXT : names[id])).join("");
    return inChunks ? rewritten(text, ADJACENT, IMPLIED, read) : text.replaceAll(SPACE, " ");
  }

  return {
    decode,
    names,
    kinds: names.map((name, id) => (id < specials ? FIELD : kindOf(name.replaceAll(SPACE, " ")))),
    // The ids before a target: [BOS] or the dialect's token, the prompt, the separator.
    context: (prompt) => [specials > SPECIALS ? SPECIALS + dialect : BOS, ...encode(prompt), ...encode("\n")],
    // The text of a target; one that was cut off, without [EOS], gets U+FFFD at its end.
    target: (tokens) => (tokens.at(-1) === EOS ? decode(tokens.slice(0, -1)) : decode(tokens) + NO_TEXT),
  };
}
