"use strict";
// The decoder, a token at a time: what coc_transformer/numpy/network.py computes for a batch of sequences. Sums are of
// 64-bit numbers, and what is stored is rounded to 32 bits.
const EPSILON = 1e-5;

// The tensors of a safetensors file in base64: eight bytes with the header's length, a JSON header, then the numbers.
function readTensors(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const begin = 8 + Number(new DataView(bytes.buffer).getBigUint64(0, true));
  const { __metadata__, ...header } = JSON.parse(new TextDecoder().decode(bytes.subarray(8, begin)));
  const numbers = ({ data_offsets: [from, to] }) => new Float32Array(bytes.buffer.slice(begin + from, begin + to));
  return new Map(Object.entries(header).map(([name, place]) => [name, numbers(place)]));
}

// The tensors with noise, whose size is a share of that of the numbers of each tensor. Equal shares have equal noise.
function disturbed(tensors, share) {
  let state = 1;
  const random = () => (state = (state * 1664525 + 1013904223) % 2 ** 32) / 2 ** 32 - 0.5;
  return new Map([...tensors].map(([name, values]) => {
    const size = Math.sqrt((12 * values.reduce((sum, value) => sum + value * value, 0)) / values.length);
    return [name, values.map((value) => value + share * size * random())];
  }));
}

// Adds the product of a matrix, (outputs, inputs), with `x` to `to`.
function addProduct(to, matrix, x) {
  for (let row = 0, at = 0; row < to.length; row++) {
    let total = 0;
    for (let column = 0; column < x.length; column++, at++) total += matrix[at] * x[column];
    to[row] += total;
  }
  return to;
}

const sum = (one, other) => one.map((value, at) => value + other[at]);

function normed(x, [scale, shift]) {
  let mean = 0, variance = 0;
  for (const value of x) mean += value / x.length;
  for (const value of x) variance += (value - mean) ** 2 / x.length;
  const factor = 1 / Math.sqrt(variance + EPSILON);
  return x.map((value, at) => (value - mean) * factor * scale[at] + shift[at]);
}

// GELU, with formula 7.1.26 of Abramowitz and Stegun, "Handbook of Mathematical Functions", 1964.
function gelu(u) {
  const size = Math.abs(u);
  const t = 1 / (1 + (0.3275911 / Math.SQRT2) * size);
  const tail = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  return (u + size - size * tail * Math.exp((-u * u) / 2)) / 2;
}

// What the tokens that one sees have for it: the mean of their values, by how well its queries fit their keys.
function attended(queries, seen, heads, scale) {
  const mixed = new Float32Array(queries.length), headWidth = queries.length / heads;
  for (let head = 0; head < queries.length; head += headWidth) {
    const scores = Float32Array.from(seen, ({ keys }) => {
      let score = 0;
      for (let part = head; part < head + headWidth; part++) score += queries[part] * keys[part];
      return score * scale;
    });
    const largest = scores.reduce((one, other) => Math.max(one, other));
    const powers = scores.map((score) => Math.exp(score - largest));
    const total = powers.reduce((one, other) => one + other);
    seen.forEach(({ values }, at) => {
      for (let part = head; part < head + headWidth; part++) mixed[part] += (powers[at] / total) * values[part];
    });
  }
  return mixed;
}

// A network that reads sequences, given the `model` part of config.json, the tensors and the kind of each token.
function buildNetwork(config, tensors, kinds) {
  const { d_model: width, heads, layers } = config;
  const weight = (name) => tensors.get(`${name}.weight`);
  const both = (name) => [weight(name), tensors.get(`${name}.bias`)];
  const rowOf = (table, at) => table.subarray(at * width, (at + 1) * width);
  const lastRow = (table, at) => rowOf(table, Math.min(at, table.length / width - 1)); // later ones share the last

  // What a sequence needs for its next token: how many tokens, fields, and digits of a number it has, whether the prompt
  // has ended, the embedding of its last token, and the keys and values of all.
  const begin = () => ({ length: 0, fields: 0, digits: 0, ended: false, before: new Float32Array(width), cache: [] });

  function embedded(sequence, token) {
    const { length, fields, digits, before } = sequence;
    const places = config.positions === "fields"
      ? [lastRow(weight("positions.0"), fields), lastRow(weight("positions.1"), digits)]
      : [rowOf(weight("positions"), length - 1)];
    const x = (sequence.before = places.reduce(sum, rowOf(weight("tokens"), token)));
    return config.token_shift ? addProduct(x.slice(), weight("shifts.0"), before) : x;
  }

  // Reads a token; gives the final hidden state.
  function read(sequence, token) {
    const kind = kinds[token];
    sequence.length++;
    sequence.digits = kind === SYMBOL ? sequence.digits + 1 : 0;
    if (kind === FIELD || kind === SEPARATOR_KIND) sequence.fields++;
    sequence.ended ||= kind === SEPARATOR_KIND;
    const alone = config.prompt_attention === false && !sequence.ended;
    const scale = (config.log_scaling ? Math.log(sequence.length) / 2 : 1) / Math.sqrt(width / heads);
    let x = embedded(sequence, token);
    for (let layer = 0; layer < layers; layer++) {
      const name = `blocks.${layer}`, cache = (sequence.cache[layer] ??= []);
      const projected = addProduct(new Float32Array(3 * width), weight(`${name}.qkv`), normed(x, both(`${name}.norm1`)));
      const [queries, keys, values] = [0, 1, 2].map((part) => rowOf(projected, part));
      cache.push({ keys, values });
      x = addProduct(x.slice(), weight(`${name}.out`), attended(queries, alone ? cache.slice(-1) : cache, heads, scale));
      const [up, upBias] = both(`${name}.up`), [down, downBias] = both(`${name}.down`);
      const between = addProduct(upBias.slice(), up, normed(x, both(`${name}.norm2`))).map(gelu);
      x = sum(addProduct(x, down, between), downBias);
    }
    return normed(x, both("norm"));
  }

  const logits = (hidden) => addProduct(new Float32Array(config.vocab), weight("tokens"), hidden);
  return { begin, read, logits, maxLength: config.max_len };
}

// The likeliest token, and its margin: how far its logit is above that of the second.
function likeliest(logits) {
  if (!logits.every(Number.isFinite)) throw new Error("the network gave logits that are not finite");
  const [token, second] = [...logits.keys()].sort((one, other) => logits[other] - logits[one]);
  return { token, second, margin: logits[token] - logits[second] };
}

// Yields { token, second, margin } for each token of the response to a prompt, [EOS] included, or the end of the context.
// A token that is sent back with `next(token)` is written in place of the likeliest.
function* decoded(network, tokenizer, prompt) {
  const context = tokenizer.context(prompt);
  if (context.length >= network.maxLength) throw new Error(`the prompt has ${context.length} tokens, which are too many`);
  const sequence = network.begin();
  let hidden = null;
  for (const token of context) hidden = network.read(sequence, token);
  for (let length = context.length; length < network.maxLength; length++) {
    const chosen = likeliest(network.logits(hidden));
    const written = (yield chosen) ?? chosen.token;
    if (written === EOS) return;
    if (length + 1 < network.maxLength) hidden = network.read(sequence, written);
  }
}
