"""The problems of an evaluation: drawn, or the user's own, in files of any format that a plugin reads, or as texts."""

import os
from collections.abc import Iterable, Iterator, Sequence
from glob import glob, has_magic
from operator import attrgetter
from pathlib import Path
from typing import Any, ClassVar

from attrs import field, frozen

from coc_core.api import check_length
from coc_core.domain import Domain, Translation, parse_problem
from coc_core.errors import ArtefactError, CocError, UnsupportedError, UsageError
from coc_core.options import PathLike, given
from coc_core.plugin import ProblemFormatSpec, Registry
from coc_core.setting import Setting
from coc_core.text import counted, format_sizes
from coc_core.types import DEFAULT_SIZE
from coc_problems.options import DEFAULT_INSTANCES, ManyProblems, Texts, sizes_of
from coc_problems.plan import check_searchable
from coc_problems.sampling import (
    Instance,
    Split,
    enumerate_all,
    lists_single_problem,
    sample_problems,
)


@frozen
class Problems:
    """Which problems are drawn: `count` of each size from one split, or every problem of each size.

    Make one with `Problems.of`. Two that choose the same problems are equal.
    """

    domain: Domain[Any, Any, Any, Any] = field(eq=attrgetter("name"), repr=attrgetter("name"))
    sizes: tuple[int, ...] = field(repr=format_sizes)
    count: int
    split: Split = field(repr=str)
    seed: int = field(repr=False)
    exhaustive: bool
    _single: dict[int, bool] = field(init=False, factory=dict, eq=False, repr=False)
    note: ClassVar[str] = ""

    @classmethod
    def of(cls, domain: Domain[Any, Any, Any, Any], options: ManyProblems) -> "Problems":
        """Return the problems that the options choose; UsageError if they contradict each other."""
        instances, split = options.instances, options.split
        if options.exhaustive and (instances is not None or split is not None):
            raise UsageError("--exhaustive runs every problem", remedy="leave out --instances and --split")
        return cls(
            domain,
            sizes_of(DEFAULT_SIZE if options.sizes is None else options.sizes),
            DEFAULT_INSTANCES if instances is None else instances,
            Split.test if split is None else split,
            options.seed,
            options.exhaustive,
        )

    def check(self, setting: Setting, *, running: bool = True, optimal: bool = False) -> None:
        """Raise UsageError if the domain has no such problems, or their runs, if asked for, or search are too long."""
        for n in dict.fromkeys((self.sizes[0], self.sizes[-1])):
            largest = self.domain.problem(n)
        if running:
            check_length(setting, largest)
        if optimal:
            check_searchable(self.domain, largest)

    @property
    def total(self) -> int | None:
        """How many problems there are; None where every problem is drawn, which are counted as they come.

        Of a size that is found to have only one, there are fewer once it is drawn.
        """
        return None if self.exhaustive else sum(1 if self._is_single(n) else self.count for n in self.sizes)

    def sampled(self, sizes: Iterable[int]) -> bool:
        """Return whether those of these sizes, once drawn, are a sample, so that a rate over them has an interval."""
        return not self.exhaustive and not all(map(self._is_single, sizes))

    def _is_single(self, n: int) -> bool:
        if n not in self._single:
            self._single[n] = bool(lists_single_problem(self.domain, n))
        return self._single[n]

    def document(self) -> dict[str, Any]:
        """Return which problems these are, as plain data."""
        return {
            "problems": "exhaustive" if self.exhaustive else str(self.split),
            "seed": None if self.exhaustive else self.seed,
            "unsupported": [],
        }

    def __iter__(self) -> Iterator[Instance]:
        for n in self.sizes:
            if self.exhaustive:
                yield from enumerate_all(self.domain, n)
                continue
            drawn = 0
            for instance in sample_problems(self.domain, n, self.count, self.seed, self.split):
                drawn += 1
                yield instance
            if drawn == 1 < self.count:
                self._single[n] = True


_NAMED = 3  # bad problems that an error names


@frozen
class GivenProblems:
    """Problems of the user's, by size. Make them with `GivenProblems.of`. Two with the same problems are equal."""

    domain: Domain[Any, Any, Any, Any] = field(eq=attrgetter("name"), repr=attrgetter("name"))
    origin: str = field(eq=False, repr=lambda origin: repr(origin[:60]))
    instances: tuple[Instance, ...] = field(repr=lambda instances: f"{len(instances):,}")
    unsupported: tuple[str, ...] = field(default=(), eq=False, repr=False)
    """Why problems were left out, for each of them."""

    @classmethod
    def of(
        cls, setting: Setting, problems: PathLike | Iterable[str] | Texts, *, skip_unsupported: bool = False
    ) -> "GivenProblems":
        """Read problems, and check all of them.

        Args:
            problems: A path of a file or folder, a pattern such as `'mine/*.txt'`, or the texts of the problems.
            skip_unsupported: Whether to leave out those that are none of the domain.

        Raises:
            UsageError: There are none, a file can't be read, two have the same name, or some are not problems of the
                domain or too long to run; the files and lines of these are named.
        """
        found, wrong, unsupported = list[Instance](), list[str](), list[str]()
        left_out = UnsupportedError if skip_unsupported else ()
        if isinstance(problems, str | os.PathLike):
            texts = list[tuple[str, str | Translation]]()
            for path in _files(os.fspath(problems)):
                try:
                    spec = _format(setting.registry, path)
                    made = setting.registry.make(spec, spec.factory, setting.domain, path)
                    texts += ((_place(path, line), text) for line, text in made)
                except (ArtefactError, UsageError) as error:
                    (unsupported if isinstance(error, left_out) else wrong).append(str(error))
            problems = Texts(os.fspath(problems), tuple(texts))
        elif not isinstance(problems, Texts):
            problems = Texts("texts", tuple((f"problem:{number}", text) for number, text in enumerate(problems, 1)))
        for source, text in problems.each:
            translation = text if isinstance(text, Translation) else None
            try:
                problem = parse_problem(setting.domain, text if isinstance(text, str) else text.problem)
                check_length(setting, problem)
            except CocError as error:
                (unsupported if isinstance(error, left_out) else wrong).append(f"{source}: {error.message}")
            else:
                found.append(Instance(setting.domain.size(problem), None, problem, source, translation))
        if wrong:
            more = f"; and {len(wrong) - _NAMED:,} more" if len(wrong) > _NAMED else ""
            raise UsageError("; ".join(wrong[:_NAMED]) + more)
        if not found:
            raise UsageError(f"there is no problem in {problems.origin}")
        return cls(setting.domain, problems.origin, tuple(sorted(found, key=attrgetter("n"))), tuple(unsupported))

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of the problems, in ascending order."""
        return tuple(dict.fromkeys(instance.n for instance in self.instances))

    @property
    def total(self) -> int:
        """How many problems there are."""
        return len(self.instances)

    @property
    def note(self) -> str:
        """That problems were left out, if some were."""
        return note_on(self.unsupported)

    def check(self, setting: Setting, *, running: bool = True, optimal: bool = False) -> None:
        """Raise UsageError if the search for the optimum, where asked for, is too long; all else was checked before."""
        if optimal:
            check_searchable(self.domain, self.instances[-1].problem)

    def sampled(self, sizes: Iterable[int]) -> bool:
        """Return whether those of these sizes are some of many, so that a rate over them has an interval."""
        return not all(lists_single_problem(self.domain, n) for n in sizes)

    def document(self) -> dict[str, Any]:
        """Return which problems these are, as plain data."""
        return {"problems": self.origin, "seed": None, "unsupported": [*self.unsupported]}

    def __iter__(self) -> Iterator[Instance]:
        return iter(self.instances)


def chosen_problems(setting: Setting, options: ManyProblems) -> Problems | GivenProblems:
    """Return the problems that the options choose; UsageError if they contradict each other."""
    if options.problems is None:
        return Problems.of(setting.domain, options)
    if given(options).keys() & {"sizes", "instances", "split", "exhaustive", "seed"}:
        raise UsageError(
            "--problems names the problems, so none are drawn",
            remedy="leave out --n, --instances, --split, --exhaustive and --seed",
        )
    return GivenProblems.of(setting, options.problems, skip_unsupported=options.skip_unsupported)


def note_on(reasons: Sequence[str]) -> str:
    """Return that problems were left out, for reasons of which the first is given; empty if there are none."""
    return f"{counted(len(reasons), 'problem')} left out, such as {reasons[0]}" if reasons else ""


def texts_by_domain(registry: Registry, options: ManyProblems) -> tuple[dict[str, Texts], list[str]]:
    """Return the problems in the options' files by the domains found, and why others were left out.

    Raises:
        UsageError: A file does not tell its domain, or its problem is of none and such ones are not left out.
        ArtefactError: A file can't be read.
    """
    found, unsupported = dict[str, list[tuple[str, Translation]]](), list[str]()
    origin = str(options.problems)
    for path in _files(origin):
        try:
            spec = _format(registry, path)
            if spec.translation is None:
                raise UsageError(f"{path} does not tell its domain", remedy="name it with --domain")
            made = registry.make(spec, spec.translation, registry, path)
            for line, each in [(None, made)] if isinstance(made, Translation) else made or ():
                if isinstance(each, Translation):
                    found.setdefault(each.domain, []).append((_place(path, line), each))
                elif options.skip_unsupported:
                    unsupported.append(str(each))
                else:
                    raise each
        except UnsupportedError as error:
            if not options.skip_unsupported:
                raise
            unsupported.append(str(error))
    return {name: Texts(origin, tuple(each)) for name, each in sorted(found.items())}, unsupported


def _place(path: Path, line: int | None) -> str:
    return path.name if line is None else f"{path.name}:{line}"


def _files(origin: str) -> list[Path]:
    """Return the files that a path or a pattern names, sorted; UsageError if there are none, or two of one name."""
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


def _format(registry: Registry, path: Path) -> ProblemFormatSpec:
    """Return the format of a file; UnsupportedError if no format reads such files."""
    formats = {spec.name: spec for spec in registry.specs(ProblemFormatSpec)}
    spec = formats.get(path.suffix.removeprefix("."))
    if spec is None:
        known = ", ".join(f".{name}" for name in formats)
        raise UnsupportedError(f"the problem file {path} has an unknown extension", remedy=f"choose from {known}")
    return spec
