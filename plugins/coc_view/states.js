"use strict";
// The states of something that goes on by steps: `next(state, step)` gives the state after a step from the one before,
// which it leaves as it is. Some are kept, so that any other is found in a few steps.
function buildStates(start, next) {
  const APART = 256; // steps from one that is kept to the next
  const kept = [start];
  let state = start, place = 0;

  // The state after `step` steps.
  function at(step) {
    if (step < place || step - place > APART) {
      const nearest = Math.min(Math.floor(step / APART), kept.length - 1);
      [state, place] = [kept[nearest], nearest * APART];
    }
    while (place < step) {
      state = next(state, ++place);
      if (place === kept.length * APART) kept.push(state);
    }
    return state;
  }

  // Goes to a step; what was after it is forgotten, since the steps become other ones.
  function cut(step) {
    kept.length = Math.min(kept.length, Math.floor(step / APART) + 1);
    at(step);
  }
  return { at, cut };
}
