"""The plan format `pddl`: `(stack a b)` on each line, as validators read it."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from coc_core.domain import Domain, LineFormat, PlanFormat, PlanWriter, scene_of
from coc_core.execution import Listener
from coc_planning.lifted import written_domain, written_problem
from coc_planning.models import Action, PlanningModel, models_of
from coc_planning.recognise import Recognised
from coc_problems import read_move

_ENTRY = re.compile(r"\(\s*([^\s()]+(?:\s+[^\s()]+)*)\s*\)")


class PddlPlan(LineFormat[Any, Any, Any]):
    """Plans in PDDL, in coc's names, or in those of a planning problem."""

    def __init__(
        self,
        domain: Domain[Any, Any, Any, Any],
        problem: Any,
        model: PlanningModel | None = None,
        names: Mapping[str, str] | None = None,
        pairing: Recognised | None = None,
    ) -> None:
        super().__init__(domain, problem)
        self._model = model or models_of(domain)[0]
        self._write = self._model.writer(problem)
        self._read = self._model.reader(problem)
        self._within = False  # a move that takes several actions
        self._names = names
        self._ours = {theirs: ours for ours, theirs in names.items()} if names is not None else None
        self._pairing = pairing

    def files(self) -> Mapping[str, str]:
        domain = self._model.forms[0]
        facts = self._model.facts(self.problem, scene_of(self.domain, self.domain.initial(self.problem)))
        return {
            "domain.pddl": written_domain(domain),
            "problem.pddl": written_problem(domain, facts, f"{self.domain.name}-{self.domain.size(self.problem)}"),
        }

    def written(self, state: Any, action: Any) -> list[Action]:
        """Return the actions in PDDL, with their arguments, that an action of coc's completes."""
        move = self.domain.effect(state, action)
        found = self._write(lambda: scene_of(self.domain, state), move) if move is not None else ()
        return [self._reworded(*each) for each in found]

    def _line(self, state: Any, action: Any) -> str:
        return "\n".join(f"({' '.join((name, *arguments))})" for name, arguments in self.written(state, action))

    def _reworded(self, name: str, arguments: Sequence[str]) -> Action:
        if self._names is not None:
            arguments = tuple(self._names[each] for each in arguments)
        return (name, tuple(arguments)) if self._pairing is None else self._pairing.action(name, arguments)

    def entries(self, lines: Iterable[str]) -> Iterator[str]:
        self._read = self._model.reader(self.problem)
        yield from super().entries(lines)
        if self._within:
            raise ValueError("it ends in the middle of a move")

    def read(self, state: Any, entry: str) -> Sequence[Any]:
        found = _ENTRY.fullmatch(entry.lower())
        if found is None:
            raise ValueError("it is not (OPERATOR ARGUMENT...)")
        name, *arguments = found[1].split()
        action = (name, tuple(arguments)) if self._pairing is None else self._pairing.ours(name, arguments)
        if self._ours is not None:
            if unknown := [each for each in action[1] if each not in self._ours]:
                raise ValueError(f"there is no object {unknown[0]!r:.60}")
            action = action[0], tuple(self._ours[each] for each in action[1])
        move = self._read(lambda: scene_of(self.domain, state), action)
        self._within = move is None
        return () if move is None else read_move(self.domain, state, move)


@contextmanager
def plan_lines(form: PlanFormat[Any, Any, Any], lines: list[str]) -> Iterator[Listener]:
    """Give a listener that writes a plan, whose lines are added to a list when the block ends."""
    parts: list[bytes] = []
    writer = PlanWriter(form, parts.append)
    yield lambda record: writer.add(record.before, record.actions)
    writer.close()
    lines += b"".join(parts).decode().splitlines()
