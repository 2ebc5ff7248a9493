"use strict";
// The memories with their conventions, as coc_core/memories and coc_programs/heap have them: a stack, a heap, which has
// records beside a stack, and a tape. `convention` is what coc_view/live/document.py says of a run's convention.

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
