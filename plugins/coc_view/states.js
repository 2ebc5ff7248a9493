"use strict";
// The states of something that goes on by steps: `next(state, step)` gives the state after a step from the one before,
// which it leaves as it is. Some are kept, so that any other is found in a few steps.
function buildStates(start, next) {
  const APART = 256; // steps from one that is kept to the next
  const kept = [start];
  let state = start, place = 0;

  const restore = (number) => { [state, place] = [kept[number], number * APART]; };

  // The state after `step` steps.
  function at(step) {
    if (step < place || step - place > APART) restore(Math.min(Math.floor(step / APART), kept.length - 1));
    while (place < step) {
      state = next(state, ++place);
      if (place === kept.length * APART) kept.push(state);
    }
    return state;
  }

  // Forgets all states after `step` steps, since the steps become other ones.
  function forget(step) {
    kept.length = Math.min(kept.length, Math.floor(step / APART) + 1);
    if (place > step) restore(kept.length - 1);
  }

  return { at, forget };
}
