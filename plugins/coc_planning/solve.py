"""`coc.solve_pddl`: solve a problem in PDDL; and what comes of it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from coc_core.api import Files, Run, open_registry, plan_lines, run, warn
from coc_core.domain import Translation
from coc_core.options import PathLike
from coc_planning.translate import translate_files


@frozen(repr=False)
class PddlSolution:
    """What came of a problem in PDDL. Make one with `coc.solve_pddl`.

    Attributes:
        run: The run, in coc's words.
        actions: The actions, such as `(stack a b)`, in the words of the problem.
    """

    run: Run
    actions: Sequence[str]
    _translation: Translation

    @property
    def status(self) -> str:
        """How the run ended: `solved`, `unsolvable`, `unsolved`, `fault` or `interrupted`."""
        return self.run.status

    @property
    def solved(self) -> bool:
        """Whether the plan reaches the goal."""
        return self.run.solved

    def write(self, path: PathLike) -> None:
        """Write the plan to a file, an action a line; what is there is replaced.

        Raises:
            StorageError: The file can't be written.
        """
        self.run.plan.write(path, self._translation.plan_format(self.run.setting.domain, self.run.plan.problem))

    def __repr__(self) -> str:
        return f"<PddlSolution: {self._translation.domain}, {self.status}, {len(self.actions):,} actions>"


def solve_pddl(
    domain: PathLike, problem: PathLike, *, solve_as: str | None = None, plugins: Files = (), **options: Any
) -> PddlSolution:
    """Solve a problem in PDDL with a model in the loop, as `coc run --pddl` does.

    The domain has to be one that coc knows, whatever its names are. Finding out which one it is compares structures and
    calls no model. Every action is part of a target that the model writes.

    Args:
        domain: The file of the domain.
        problem: The file of the problem.
        solve_as: The domain of coc whose problem it is; by default the one that it is found to be. Problems of
            `blocks` whose goal is one tower of all blocks are problems of `blocksworld-extended`, too.
        plugins: Python files that are plugins, too.
        options: Others of `coc.run`, such as `memory` and `model`.

    Raises:
        UsageError: coc does not know such a domain or problem; the message says what differs.
        ArtefactError: A file is not PDDL, or a checkpoint is broken.
    """
    translation = translate_files(open_registry(plugins), solve_as, Path(domain), Path(problem))
    warn(translation.notes)
    ended = run(translation.domain, problem=translation.problem, plugins=plugins, **options)
    lines: list[str] = []
    with plan_lines(translation.plan_format(ended.setting.domain, ended.plan.problem), lines) as listen:
        ended.plan.replay(listen)
    if ended.solved:
        translation.check_plan(lines)
    return PddlSolution(ended, lines, translation)
