// Does with the page's scripts what a test asks for on standard input, and prints what they give.
const { readFileSync } = require("node:fs");
const [, , ...scripts] = process.argv;
const names = "readTensors, buildTokenizer, buildNetwork, buildMemory, decoded, EOS";
const page = new Function(`${scripts.map((path) => readFileSync(path, "utf-8")).join("\n")}; return { ${names} };`)();
const asked = JSON.parse(readFileSync(0, "utf-8"));

function respond({ checkpoint: { config, tokenizer: file, weights }, dialect, prompts }) {
  const tokenizer = page.buildTokenizer(file, dialect);
  const network = page.buildNetwork(config, page.readTensors(weights), tokenizer.kinds);
  return prompts.map((prompt) => {
    const tokens = [...page.decoded(network, tokenizer, prompt)];
    return [tokenizer.target(tokens.map(({ token }) => token)), Math.min(...tokens.map(({ margin }) => margin))];
  });
}

const shown = (memory, contents, actions) => {
  const seen = memory.read(contents);
  return { prompt: seen && seen.prompt, pointer: memory.pointer(contents), windows: memory.windows(contents), actions };
};

// Takes the steps of a run by its targets; at each, writes what a few wrong targets say, too.
function take({ convention, targets, wrong }) {
  const memory = page.buildMemory(convention);
  let contents = memory.start();
  const steps = [shown(memory, contents, [])], tried = [];
  targets.forEach((target, step) => {
    const seen = memory.read(contents);
    for (const text of wrong[step] ?? []) {
      try {
        const after = memory.write(contents, seen, text);
        tried.push(shown(memory, after.contents, after.actions));
      } catch (error) {
        tried.push(error instanceof TypeError ? String(error.stack) : null);
      }
    }
    const after = memory.write(contents, seen, target);
    contents = after.contents;
    steps.push(shown(memory, contents, after.actions));
  });
  return { steps, tried };
}

console.log(JSON.stringify({ responses: asked.models.map(respond), runs: asked.runs.map(take) }));
