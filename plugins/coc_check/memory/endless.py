"""Targets that never come to an end, for whatever convention."""

from collections.abc import Iterator
from itertools import cycle
from typing import Any

from coc_check.memory.walk import Walk
from coc_check.texts.responses import left_undone_or_once
from coc_core.errors import StepFault
from coc_core.memories import Target
from coc_core.text import names_in, rename
from coc_core.types import Step

RING = 3  # instructions that call one another in turn


def twice(walk: Walk) -> str:
    """A target that leaves the next instruction to be done twice; once where a step can leave but one."""
    return left_undone_or_once(walk.convention, str(walk.prompt), 2)


def around(walk: Walk, taken: int) -> Iterator[str]:
    """Targets that lead back to where the memory is after `taken` steps of the policy; none if no such target is known.

    Either nothing is written and each register stays, or the same instruction is written once more.
    """
    for text in (_staying(walk), _again(walk, walk.prompt)):
        if text and _leads_back(Walk(walk.stage, walk.task).go(taken), text):
            yield text


def _staying(walk: Walk) -> str:
    convention = walk.convention
    _, shown = convention.parse_prompt(str(walk.prompt))
    surface = convention.surface.registers
    if surface is None:
        return ""
    return convention.format(Target((), (), {name: str(shown.get(name, name)) for name in surface.fields}))


def _again(walk: Walk, prompt: str | None) -> str:
    """The target that does nothing at `walk` but leave the instruction of another prompt."""
    convention = walk.convention
    instruction, _ = convention.parse_prompt(str(prompt))
    _, registers = convention.parse_prompt(str(walk.prompt))
    return convention.format(convention.compose(Step[Any, Any](then=(instruction,)), registers))


def _leads_back(walk: Walk, text: str) -> bool:
    before = walk.view()
    try:
        walk.take(text)
    except StepFault:
        return False
    return walk.view() == before


class Ring:
    """Instructions of a run, each of which calls the next for ever."""

    def __init__(self, walk: Walk) -> None:
        prompts: dict[Any, str] = {}
        while walk.prompt is not None and len(prompts) < RING:
            prompts.setdefault(walk.convention.parse_prompt(walk.prompt)[0], walk.prompt)
            walk.go(1)
        asked = list(prompts)
        self._first = prompts[asked[0]]
        self._next = dict(zip(asked, [prompts[one] for one in asked[1:] + asked[:1]], strict=True))

    def respond(self, walk: Walk) -> str:
        """What a model in this ring writes next."""
        convention, prompt = walk.convention, str(walk.prompt)
        instruction, _ = convention.parse_prompt(prompt)
        following = self._next.get(instruction, self._first)
        if convention.local_names:  # a target has no names but those of its prompt
            named = dict[str, str]()
            for letters in convention.domain.interchangeable_names:
                known, needed = sorted(names_in(prompt, {letters})), sorted(names_in(following, {letters}))
                named |= zip(needed, cycle(known), strict=False)
            is_nameable = names_in(following, convention.domain.interchangeable_names) <= named.keys()
            following = rename(following, named) if is_nameable else prompt
        return _again(walk, following)
