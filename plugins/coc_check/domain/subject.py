"""A domain under test: problems of it, what its policy does, and the reference model's runs in every setting."""

import random
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import chain, islice
from typing import Any

from coc_check.check import Subject, definition, require
from coc_check.hostile import small_mistakes
from coc_check.plain import Trace, run_plainly
from coc_check.stage import ARITHMETICS, MEMORIES
from coc_core.domain import Domain, StoresRecords
from coc_core.errors import ActionFault, PluginError
from coc_core.plugin import DomainSpec, MemorySpec, Registry
from coc_core.setting import Setting, make_a
from coc_core.text import Forms, format_sizes
from coc_core.types import Limits, Step
from coc_problems import policy_steps

SIZES, SEEDS = 6, 3  # the smallest ones that the domain accepts, and problems of each
LARGER = (*range(SIZES, 12), 23)  # places of larger sizes in its list, of each of which there is one problem
LONGEST_RUN = 1_000  # steps
LIMITS = Limits(steps=20_000)  # of a run that is longer than the domain expects
MOST = 5_000  # distinct instructions of a run; steps, where records decide what follows
MOST_TEXT = 1_000_000  # characters of them
RANDOM, ACTIONS = 200, 64  # states, and actions in each, that are tried though no policy takes them there
WALKS, MOVES = 4, 6  # random walks of each run, and physical moves of a walk
NAMED = 200  # actions of a state, or states after one, of which there may be very many

AnyDomain = Domain[Any, Any, Any, Any]


class DomainSubject(Subject):
    """One installed domain. Problems and runs are made when they are first needed.

    Its settings are those of coc's own memories, and of the others for which it offers a policy of its own.
    Problems come by size, so the first that shows something wrong is a small one.
    """

    kind = DomainSpec

    def __init__(self, registry: Registry, name: str) -> None:
        super().__init__(registry, name)
        allowed = self.spec.memories
        installed = [spec.name for spec in registry.specs(MemorySpec)]
        first = MEMORIES if allowed is None or {*MEMORIES} & {*allowed} else installed
        memories = [memory for memory in first if allowed is None or memory in allowed]
        memories += [memory for memory, _ in self.spec.policies if memory in installed]
        if not memories:
            raise PluginError(f"{name} runs on none of {', '.join(MEMORIES)}, so it can't be checked")
        self._memories = dict.fromkeys(memories)
        made = [make_a(Domain, registry, self.spec, self.spec.factory_on(memory)) for memory in self._memories]
        self.domain: AnyDomain = made[0]
        self.watched = {type(each) for each in made}
        self._runs: dict[str, Trace] = {}

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """Each memory with each arithmetic that calls no model."""
        places = ((memory, arith) for memory in self._memories for arith in ARITHMETICS)
        return tuple(Setting.of(self.registry, self.name, *place, LIMITS) for place in places)

    @cached_property
    def problems(self) -> list[Any]:
        """A few distinct problems of each of the smallest sizes, and one of some larger ones, short enough to run."""
        sizes, found = self.domain.sizes, dict[str, Any]()
        drawn = [(n, seed) for n in sizes[:SIZES] for seed in range(SEEDS)]
        for n, seed in (*drawn, *((sizes[place], 0) for place in LARGER if place < len(sizes))):
            problem = self.domain.problem(n, seed)
            text = self.at = self.named(problem)
            counted = None if text in found else length(self.domain, problem)
            if counted is not None and counted[1] <= LONGEST_RUN:
                found[text] = problem
        require(bool(found), f"none of the sizes {sizes[:SIZES]} is short enough to test")
        self.tried["runs"] = f"n = {format_sizes({self.domain.size(problem) for problem in found.values()})}"
        return list(found.values())

    def policy(self) -> Iterator[tuple[Any, Step[Any, Any]]]:
        """Yield each instruction that the policy meets on the way of each problem, as it made it, with its step."""
        for problem in self.problems:
            self.at = self.named(problem)
            for instruction, step in islice(policy_steps(self.domain, problem), LONGEST_RUN):
                self.at = repr(instruction)
                yield instruction, step

    def runs(self, setting: Setting | None = None, *, small: bool = False) -> Iterator[tuple[Any, Trace]]:
        """Yield all problems, each with its run by the reference model in one setting, by default the first.

        With `small`, only those of the smallest sizes: in large ones, a state may have too many neighbours.
        """
        setting, sizes = setting or self.settings[0], self.domain.sizes[: SIZES if small else None]
        for problem in (each for each in self.problems if self.domain.size(each) in sizes):
            where = self.at = self.named(problem, setting)
            if where not in self._runs:
                run = run_plainly(setting, problem)
                end = run.outcome
                require(end.status == "solved", f"it is {end.status} at step {end.steps}: {end.fault}")
                self._runs[where] = run
            yield problem, self._runs[where]

    def transitions(self, *, small: bool = False, foreign: bool = False) -> Iterator[tuple[Any, Any, Any]]:
        """Yield each (state, action, state after it) of the runs, or of the small ones; then the `foreign` ones."""
        taken = (each for _, run in self.runs(small=small) for each in zip(run.states, run.plan, run.states[1:]))  # noqa: B905
        for state, action, after in chain(taken, self.foreign if foreign else ()):
            self.tries(state, action)
            yield state, action, after

    @cached_property
    def foreign(self) -> list[tuple[Any, Any, Any]]:
        """Legal (state, action, state after it) that no policy takes: known actions and variants, anywhere."""
        rng, actions, found = random.Random("foreign moves"), self.actions, list[tuple[Any, Any, Any]]()
        states = list(self.random_states(rng))
        for state in rng.sample(states, min(RANDOM, len(states))):
            for action in rng.sample(actions, min(ACTIONS, len(actions))):
                self.tries(state, action)
                with suppress(ActionFault):
                    found.append((state, action, self.domain.apply(state, action)))
        return found

    def random_states(self, rng: random.Random) -> Iterator[Any]:
        """Yield states of the small runs, and those that physical moves lead to from there."""
        for _, run in self.runs(small=True):
            for _ in range(WALKS):
                state = rng.choice(run.states)
                yield state
                for _ in range(MOVES):
                    state = rng.choice([state, *islice(self.domain.neighbours(state) or (), NAMED)])
                    yield state

    @cached_property
    def actions(self) -> list[Any]:
        """Actions of small runs, those that the domain names where they start, and others that are nearly like them."""
        found = list[Any]()
        for _, run in self.runs(small=True):
            found += (*run.plan, *islice(self.domain.every_action(run.states[0]) or (), NAMED))
        return with_mistakes(self.domain.actions, found)

    def named(self, problem: Any, setting: Setting | None = None) -> str:
        """Return a problem, and where it is run, for a person."""
        text = self.domain.problems.format(problem)
        return f"{text} on {setting.memory.name} with {setting.arithmetic.name} arithmetic" if setting else text

    def tries(self, state: Any, action: Any) -> None:
        """Note that an action is being tried in a state."""
        self.at = f"{self.domain.actions.format(action)} in {state!r}"

    def picture(self, state: Any) -> str:
        """Return a picture of a state with all the room it wants: where two differ, the states differ physically."""
        return self.domain.render(state, 10_000)

    def where(self, method: str = "") -> str:
        """Return where the domain's class, or a method of it, is defined."""
        return definition(type(self.domain), method)


def length(domain: AnyDomain, problem: Any) -> tuple[int, int] | None:
    """Return the numbers of actions and steps of a run, counted without taking each; None if it is too long.

    Nonconforming if an instruction leads to itself again, so that the run never ends.
    """
    write, found, characters = domain.instructions.format, dict[str, tuple[int, list[str]]](), 0
    if isinstance(domain, StoresRecords):
        steps = [step for _, step in islice(policy_steps(domain, problem), MOST + 1)]
        actions = sum(emitted in domain.actions for step in steps for emitted in step.emits)
        return (actions, len(steps)) if len(steps) <= MOST else None
    for instruction, step in policy_steps(domain, problem, lambda each: write(each) not in found):
        text = write(instruction)
        found[text] = sum(emitted in domain.actions for emitted in step.emits), [*map(write, step.then)]
        characters += len(text)
        if len(found) > MOST or characters > MOST_TEXT:
            return None
    lengths = dict[str, tuple[int, int]]()
    try:
        for text in TopologicalSorter({text: then for text, (_, then) in found.items()}).static_order():
            actions, then = found[text]
            lengths[text] = actions + sum(lengths[each][0] for each in then), 1 + sum(lengths[each][1] for each in then)
    except CycleError as error:
        require(False, f"the policy never ends: {error.args[1][0]} leads to itself")
    return lengths[write(domain.start(problem))]


def with_mistakes(forms: Forms[Any], values: Iterable[Any]) -> list[Any]:
    """Return the distinct values, and those that small mistakes in their texts lead to; short texts first."""
    found = {forms.format(value): value for value in values}
    for text in small_mistakes(list(found)):
        with suppress(ValueError):
            found.setdefault(text, forms.parse(text))
    return [found[text] for text in sorted(found, key=lambda text: (len(text), text))]
