"use strict";
// The decoder, a token at a time: what coc_transformer/numpy/network.py computes for a batch of sequences. Sums are of
// 64-bit numbers, and what is stored is rounded to 32 bits.
const EPSILON = 1e-5;
const FIELD_ROWS = 64; // fields that have an embedding of their own; later ones share the last

// The tensors of a safetensors file in base64: eight bytes with the header's length, a JSON header, then the numbers.
function readTensors(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const begin = 8 + Number(new DataView(bytes.buffer).getBigUint64(0, true));
  const { __metadata__, ...header } = JSON.parse(new TextDecoder().decode(bytes.subarray(8, begin)));
  const numbers = ({ data_offsets: [from, to] }) => new Float32Array(bytes.buffer.slice(begin + from, begin + to));
  return new Map(Object.entries(header).map(([name, place]) => [name, numbers(place)]));
}

// The tensors with noise, whose size is a share of that of the numbers of each tensor. Equal seeds have equal noise.
function disturbed(tensors, share, seed = 1) {
  let state = seed;
  const random = () => (state = (state * 1664525 + 1013904223) % 2 ** 32) / 2 ** 32 - 0.5;
  return new Map([...tensors].map(([name, values]) => {
    const size = Math.sqrt((12 * values.reduce((sum, value) => sum + value * value, 0)) / values.length);
    return [name, values.map((value) => value + share * size * random())];
  }));
}

// Adds the product of a matrix, (outputs, inputs), with `x` to `to`. Four sums at a time are twice as fast as one.
function addProduct(to, matrix, x) {
  for (let row = 0, at = 0; row < to.length; row++) {
    let first = 0, second = 0, third = 0, fourth = 0;
    for (let column = 0; column < x.length; column += 4, at += 4) {
      first += matrix[at] * x[column];
      second += matrix[at + 1] * x[column + 1];
      third += matrix[at + 2] * x[column + 2];
      fourth += matrix[at + 3] * x[column + 3];
    }
    to[row] += first + second + third + fourth;
  }
  return to;
}

function add(to, values) {
  for (let at = 0; at < to.length; at++) to[at] += values[at];
  return to;
}

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

function softmax(scores) {
  const largest = scores.reduce((one, other) => Math.max(one, other));
  const powers = scores.map((score) => Math.exp(score - largest));
  const total = powers.reduce((one, other) => one + other);
  return powers.map((power) => power / total);
}

// A network that reads sequences, given the `model` part of config.json, the tensors and the kind of each token.
function buildNetwork(config, tensors, kinds) {
  const { d_model: width, heads, layers: depth } = config;
  const headWidth = width / heads;
  const weight = (name) => tensors.get(`${name}.weight`);
  const both = (name) => [weight(name), tensors.get(`${name}.bias`)];
  const rowOf = (table, at) => table.subarray(at * width, (at + 1) * width);
  const embeddings = weight("tokens"), norm = both("norm");
  const byFields = config.positions === "fields";
  const digitRows = byFields ? weight("positions.1").length / width : 0;
  const layers = Array.from({ length: depth }, (_, number) => `blocks.${number}`).map((name) => ({
    norm1: both(`${name}.norm1`), qkv: weight(`${name}.qkv`), out: weight(`${name}.out`),
    norm2: both(`${name}.norm2`), up: both(`${name}.up`), down: both(`${name}.down`),
  }));

  // Where a token is: fields so far, items in this field, digits in this item, and separators, of which a prompt has none.
  const nowhere = { index: -1, fields: 0, items: 0, digits: 0, separators: 0 };
  function placeAfter({ index, fields, items, digits, separators }, kind) {
    index++;
    if (kind === SYMBOL) return { index, fields, items, digits: digits + 1, separators };
    if (kind === ITEM) return { index, fields, items: items + 1, digits: 0, separators };
    return { index, fields: fields + 1, items: 0, digits: 0, separators: separators + (kind === SEPARATOR_KIND ? 1 : 0) };
  }

  // What a sequence needs for its next token: its last token's place and embedding, and the keys and values of all.
  const begin = () => ({ place: nowhere, before: new Float32Array(width), key: "", cache: layers.map(() => []) });

  function embedded(sequence, token) {
    const { index, fields, digits } = sequence.place;
    const x = rowOf(embeddings, token).slice();
    if (byFields) {
      add(x, rowOf(weight("positions.0"), Math.min(fields, FIELD_ROWS - 1)));
      add(x, rowOf(weight("positions.1"), Math.min(digits, digitRows - 1)));
    } else add(x, rowOf(weight("positions"), index));
    const before = sequence.before;
    sequence.before = x;
    return config.token_shift ? addProduct(x.slice(), weight("shifts.0"), before) : x;
  }

  // What the tokens that one sees have for it: the mean of their values, by how well its queries fit their keys.
  function attended(queries, seen, scale) {
    const mixed = new Float32Array(width);
    for (let head = 0; head < width; head += headWidth) {
      const scores = Float32Array.from(seen, ({ keys }) => {
        let sum = 0;
        for (let part = head; part < head + headWidth; part++) sum += queries[part] * keys[part];
        return sum * scale;
      });
      softmax(scores).forEach((share, at) => {
        const { values } = seen[at];
        for (let part = head; part < head + headWidth; part++) mixed[part] += share * values[part];
      });
    }
    return mixed;
  }

  // Keys and values of tokens that see themselves only, by all that these depend on, so none is computed twice.
  const known = new Map();

  // Reads a token; gives the final hidden state, which is null where nobody needs it.
  function read(sequence, token) {
    const place = (sequence.place = placeAfter(sequence.place, kinds[token]));
    const x = embedded(sequence, token);
    const alone = config.prompt_attention === false && !place.separators;
    const own = [token, place.fields, place.digits].join();
    const key = `${sequence.key};${own}`;
    sequence.key = own;
    if (alone && known.has(key)) {
      known.get(key).forEach((pair, number) => sequence.cache[number].push({ ...pair, place }));
      return null;
    }
    const sameList = (each) => each.items && !each.digits && each.fields === place.fields && each !== place;
    const unseen = (each) => config.list_attention === false && place.separators && sameList(each.place);
    layers.forEach((layer, number) => {
      const cache = sequence.cache[number];
      const projected = addProduct(new Float32Array(3 * width), layer.qkv, normed(x, layer.norm1));
      const [queries, keys, values] = [0, 1, 2].map((part) => rowOf(projected, part));
      cache.push({ keys, values, place });
      const sharper = config.log_scaling ? Math.log(cache.length) / 2 : 1;
      const seen = alone ? cache.slice(-1) : cache.filter((each) => !unseen(each));
      addProduct(x, layer.out, attended(queries, seen, sharper / Math.sqrt(headWidth)));
      const [up, upBias] = layer.up, [down, downBias] = layer.down;
      const between = addProduct(upBias.slice(), up, normed(x, layer.norm2)).map(gelu);
      add(addProduct(x, down, between), downBias);
    });
    if (alone) known.set(key, sequence.cache.map((cache) => cache.at(-1)));
    return normed(x, norm);
  }

  const logits = (hidden) => addProduct(new Float32Array(config.vocab), embeddings, hidden);
  return { begin, read, logits, maxLength: config.max_len };
}

// The likeliest token, and its margin: how far its logit is above that of the second.
function likeliest(logits) {
  if (!logits.every(Number.isFinite)) throw new Error("the network gave logits that are not finite");
  let token = 0, second = -1;
  for (let each = 1; each < logits.length; each++) {
    if (logits[each] > logits[token]) [token, second] = [each, token];
    else if (second < 0 || logits[each] > logits[second]) second = each;
  }
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
