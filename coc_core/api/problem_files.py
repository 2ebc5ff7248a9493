"""The user's own problems, in files of any format that a plugin reads, or as texts."""

import os
from collections.abc import Iterable, Iterator
from glob import glob, has_magic
from operator import attrgetter
from pathlib import Path
from typing import Any

from attrs import field, frozen

from coc_core.api.job import check_length
from coc_core.api.problems import Problems
from coc_core.domain import Domain, Instance, Translation, check_searchable, has_single_problem, parse_problem
from coc_core.errors import ArtefactError, CocError, UsageError
from coc_core.options import ManyProblems, PathLike, given
from coc_core.plugin import ProblemFormatSpec, Registry
from coc_core.setting import Setting

_NAMED = 3  # bad problems that an error names
_Text = tuple[str, str | Translation]


@frozen
class GivenProblems:
    """Problems of the user's, by size. Make them with `GivenProblems.of`. Two with the same problems are equal."""

    domain: Domain[Any, Any, Any, Any] = field(eq=attrgetter("name"))
    origin: str = field(eq=False)
    instances: tuple[Instance, ...]

    def __repr__(self) -> str:
        return f"GivenProblems({self.domain.name}, {self.total:,} from {self.origin:.60})"

    @classmethod
    def of(cls, setting: Setting, problems: PathLike | Iterable[str]) -> "GivenProblems":
        """Read problems, and check all of them.

        Args:
            setting: Where they are to be run.
            problems: A path of a file or folder, a pattern such as `'mine/*.txt'`, or the texts of the problems.

        Raises:
            UsageError: There are none, a file can't be read, two have the same name, or some are not problems of the
                domain or too long to run; the files and lines of these are named.
        """
        found, wrong, texts = list[Instance](), list[str](), list[_Text]()
        if isinstance(problems, str | os.PathLike):
            origin = os.fspath(problems)
            for path in _files(origin):
                try:
                    texts += _texts(setting, path)
                except (ArtefactError, UsageError) as error:
                    wrong.append(str(error))
        else:
            origin, texts = "texts", [(f"problem:{number}", text) for number, text in enumerate(problems, 1)]
        for source, text in texts:
            translation = text if isinstance(text, Translation) else None
            try:
                problem = parse_problem(setting.domain, text if isinstance(text, str) else text.problem)
                check_length(setting, problem)
            except CocError as error:
                wrong.append(f"{source}: {error.message}")
            else:
                found.append(Instance(setting.domain.size(problem), None, problem, source, translation))
        if wrong:
            more = f"; and {len(wrong) - _NAMED:,} more" if len(wrong) > _NAMED else ""
            raise UsageError("; ".join(wrong[:_NAMED]) + more)
        if not found:
            raise UsageError(f"there is no problem in {origin}")
        return cls(setting.domain, origin, tuple(sorted(found, key=attrgetter("n"))))

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of the problems, in ascending order."""
        return tuple(dict.fromkeys(instance.n for instance in self.instances))

    @property
    def total(self) -> int:
        """How many problems there are."""
        return len(self.instances)

    def check(self, setting: Setting, *, running: bool = True, optimal: bool = False) -> None:
        """UsageError if the search for the optimum, where asked for, is too long; all else was checked before."""
        if optimal:
            check_searchable(self.domain, self.instances[-1].problem)

    def sampled(self, sizes: Iterable[int]) -> bool:
        """Whether those of these sizes are some of many, so that a rate over them has an interval."""
        return not all(has_single_problem(self.domain, n) for n in sizes)

    def document(self) -> dict[str, Any]:
        """Which problems these are, as plain data."""
        return {"problems": self.origin, "near_goal": False, "seed": None}

    def __iter__(self) -> Iterator[Instance]:
        return iter(self.instances)


def chosen_problems(setting: Setting, options: ManyProblems) -> Problems | GivenProblems:
    """The problems that the options choose; UsageError if they contradict each other."""
    if options.problems is None:
        return Problems.of(setting.domain, options)
    if given(options).keys() & {"sizes", "instances", "near_goal", "split", "exhaustive", "seed"}:
        raise UsageError(
            "--problems names the problems, so none are drawn",
            remedy="leave out --n, --instances, --near-goal, --split, --exhaustive and --seed",
        )
    return GivenProblems.of(setting, options.problems)


def _files(origin: str) -> list[Path]:
    """The files that a path or a pattern names, sorted; UsageError if there are none, or two of one name."""
    path = Path(origin)
    if path.is_dir():
        files = [each for each in path.iterdir() if each.is_file() and not each.name.startswith(".")]
    elif path.exists() or not has_magic(origin):
        files = [path]
    else:
        found = glob(origin, recursive=True)  # noqa: PTH207 - Path.glob takes no absolute pattern
        files = [path for path in map(Path, found) if path.is_file()]
    by_name: dict[str, Path] = {}
    for each in sorted(files):
        if other := by_name.get(each.name):
            raise UsageError(
                f"two problem files are called {each.name}: {other} and {each}", remedy="give one another name"
            )
        by_name[each.name] = each
    if not by_name:
        raise UsageError(f"there are no problem files in {origin}")
    return list(by_name.values())


def _texts(setting: Setting, path: Path) -> Iterator[_Text]:
    """The problems in a file: where each is, and its text; UsageError if no format reads such files."""
    registry: Registry = setting.registry
    formats = {spec.name: spec for spec in registry.specs(ProblemFormatSpec)}
    spec = formats.get(path.suffix.removeprefix("."))
    if spec is None:
        known = ", ".join(f".{name}" for name in formats)
        raise UsageError(f"the problem file {path} has an unknown extension", remedy=f"choose from {known}")
    for line, text in registry.make(spec, spec.factory, setting.domain, path):
        yield path.name if line is None else f"{path.name}:{line}", text
