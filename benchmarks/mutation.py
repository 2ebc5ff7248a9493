"""Change the code in one small place at a time, and see whether a test notices.

    pip install -e '.[mutation]'
    python benchmarks/mutation.py [NAME ...] [--sample 200] [--slow] [--fail-under 90] [--jobs 2]

NAME is a folder, such as `coc_core/execution`, or a file, such as `coc_core/execution/machine.py`; without one, all that
decides a result is measured. The tests of a folder are collected once, and each is run once to see which lines it runs.
Then each mutant gets a process forked from there, in which the tests that run its line are run, the quickest first,
until one fails. A mutant that takes much longer than the right code is stopped and counted apart. Prints the mutants
that survive, a table and a summary.

With `--sample 200`, only so many mutants are measured, of files drawn in proportion to their lines. The seed is drawn and
printed; `--seed` draws the same sample of the same code. Tests marked slow are left out, and so are those of more than a
second. `--slow` admits both, but for slow ones that fail with the right code, as a few do in a forked process. With `--fail-under 90`, the exit code is 1 if less than 90% of the mutants are killed or time out.

What happens at import is not mutated, such as a number at the top of a module or the default of a parameter, since each
of those mutants would need an import of its own.
"""

import argparse
import gc
import importlib
import os
import random
import secrets
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from fnmatch import fnmatch
from itertools import accumulate
from math import inf
from pathlib import Path

import coverage
import pytest

from tests.support.limited_process import Forked, at_once
from tests.support.mutants import Mutant, living, mutants, put

ROOT = Path(__file__).parents[1]

LEFT_OUT = (
    "coc_core/cli/*",
    "plugins/coc_doors/hub/*",
    "plugins/coc_paper/*",
    "plugins/coc_doors/serve/*",
    "plugins/coc_view/*",
    "*/commands/*",
    "*/__init__.py",
    "*/__main__.py",
    "*figure.py",
    "*/drawing.py",
    "coc_core/errors.py",
    "coc_core/text/exceptions.py",
    "coc_core/plugin/hookspecs.py",
)
"""Files that decide no result of a run, an evaluation, a dataset, a training, a certificate or a check."""

ALSO = {
    "coc_core/domain": ["plugins/coc_programs/heap", "plugins/coc_puzzles/test_linked.py"],
    "coc_core/memories": ["coc_core/execution/test_machine.py"],
    "coc_core/runfile": ["coc_core/api/test_recorded.py", "coc_core/cli/solve/test_save.py"],
    "plugins/coc_certify": ["examples/test_check_heap_certificate.py", "examples/test_check_program_certificate.py"],
    **{
        f"plugins/coc_puzzles/{name}": [
            f"plugins/coc_puzzles/test_{each}.py" for each in ("appendix", "linked", "solved", "texts", "verdicts")
        ]
        for name in ("blocksworld", "blocksworld/blocks", "hanoi", "pancake", "river")
    },
    "plugins/coc_check/model": ["plugins/coc_check/test_checks.py", "plugins/coc_check/test_parts.py"],
    "plugins/coc_learn/addresses": [
        "plugins/coc_learn/test_sources.py",
        "plugins/coc_learn/measure/test_addresses.py",
    ],
    "plugins/coc_learn/datasets": ["plugins/coc_learn/test_sources.py", "plugins/coc_learn/addresses"],
}
"""Tests, beside those that mirror a folder, that are to notice."""


def groups() -> dict[str, list[Path]]:
    """The files of each folder that decides a result."""
    found = defaultdict(list)
    for path in (*sorted(ROOT.glob("coc_core/**/*.py")), *sorted(ROOT.glob("plugins/**/*.py"))):
        name = str(path.relative_to(ROOT))
        if not any(fnmatch(name, pattern) for pattern in LEFT_OUT):
            found[str(Path(name).parent)].append(path)
    return found


def tests_of(group: str) -> list[str]:
    """The tests of a folder: those of the nearest one that is mirrored in the folder of tests."""
    nearest = next(each for each in (Path(group), *Path(group).parents) if (ROOT / "tests" / each).is_dir())
    here = (
        [f"tests/{nearest}"] if nearest != Path("coc_core") else sorted(map(str, ROOT.glob("tests/coc_core/test_*.py")))
    )
    return [*here, *(f"tests/{each}" for each in ALSO.get(group, []))]


HEAVY = "attrs", "jinja2", "numpy", "pluggy", "rich", "safetensors", "tokenizers", "torch", "typer"
PYTEST = ["-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-profile=mutation"]
PYTEST += ["-W", "ignore::pytest.PytestWarning", "-m", "not exhaustive"]
MANY = "test_a_blob_with_something_wrong"
"""Is slow only because it has so many cases, each of which is quick."""

LIMITS = {False: (1, 4), True: (60, 120)}
"""The seconds of a test, and of all tests of a mutant together, without and with slow tests; the rest is left out."""

FIRST_RUN = 7_200  # seconds at most
LONGER, EXTRA = 5, 3  # times as long as with the right code, and seconds of processor time more, are too long
NONE = -1
ENDS = "killed", "timed out", "survived", "not run"


class Session:
    """A plugin of pytest that runs the collected tests in forked processes only."""

    def __init__(self, found: list[Mutant], jobs: int, slow: bool) -> None:
        self.mutants, self.jobs, self.slow = found, jobs, slow
        self.ends: dict[int, str] = {}
        self.killers: dict[tuple[Path, str], Counter[int]] = defaultdict(Counter)
        self.failed = False

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leaves out the slow tests, unless they are wanted."""
        items[:] = [item for item in items if self.slow or not item.get_closest_marker("slow") or MANY in item.name]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Instead of running the tests."""
        self.items = session.items
        at_once(1, [(None, lambda: Forked(self.first_run, FIRST_RUN))], self.learn)
        self.live = living({mutant.path for mutant in self.mutants})
        gc.freeze()
        at_once(self.jobs, self.tasks(), self.judge)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remembers a failure."""
        self.failed |= report.failed

    def first_run(self) -> tuple[list[float], dict[str, dict[int, set[int]]]] | str:
        """The seconds that each test takes with the right code, and the tests that run a line."""
        seconds = []
        measured = coverage.Coverage(data_file=None, include=[str(m.path) for m in self.mutants], config_file=False)
        measured.start()
        for number, item in enumerate(self.items):
            measured.switch_context(str(number))
            start = time.process_time()
            if self.run([number]) == NONE:
                seconds.append(time.process_time() - start)
            elif item.get_closest_marker("slow"):  # such as one that cannot be run in a forked process
                seconds.append(inf)
                self.failed = False
            else:
                return item.nodeid
        measured.stop()
        data = measured.get_data()
        return seconds, {
            file: {line: {int(each) for each in names if each} for line, names in data.contexts_by_lineno(file).items()}
            for file in data.measured_files()
        }

    def learn(self, _: object, first: Forked) -> None:
        """What the first run has found."""
        if not isinstance(first.answer, tuple):
            print(f"with the right code, a test fails: {first.answer} {first.error}", file=sys.stderr)
            raise pytest.UsageError
        self.seconds, self.running = first.answer
        for item, seconds in zip(self.items, self.seconds, strict=True):
            if seconds == inf:
                print(f"left out, since it fails with the right code: {item.nodeid}", file=sys.stderr)

    def tasks(self) -> Iterator[tuple[int, object]]:
        """What is to be run in which mutant."""
        for number, mutant in enumerate(self.mutants):
            chosen = self.chosen(mutant)
            limit = EXTRA + LONGER * sum(self.seconds[test] for test in chosen)
            if chosen:
                yield number, lambda m=mutant, c=chosen, s=limit: Forked(lambda: put(m, self.live) and self.run(c), s)
            else:
                self.ends[number] = "not run"

    def chosen(self, mutant: Mutant) -> list[int]:
        """The tests that run the line, or else the function: first those that are quick and have killed others here."""
        lines = self.running.get(str(mutant.path), {})
        name, function = mutant.within
        found = lines.get(mutant.line) or {test for line in function for test in lines.get(line, ())}
        killers = self.killers[mutant.path, name]
        longest, most = LIMITS[self.slow]
        found = {test for test in found if self.seconds[test] < longest}
        order = sorted(found, key=lambda test: self.seconds[test] / (1 + killers[test]))
        total = accumulate(self.seconds[test] for test in order)
        return [test for test, seconds in zip(order, total, strict=True) if seconds < most]

    def run(self, chosen: list[int]) -> int:
        """Runs these tests until one fails, and says which."""
        items = [self.items[number] for number in chosen]
        for number, item, following in zip(chosen, items, [*items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.failed:
                return number
        return NONE

    def judge(self, number: int, child: Forked) -> None:
        """Whether the tests have noticed."""
        mutant = self.mutants[number]
        if child.answer not in (None, NONE):
            self.killers[mutant.path, mutant.within[0]][child.answer] += 1
        survived = child.answer == NONE
        self.ends[number] = "timed out" if child.timed_out else "survived" if survived else "killed"
        if not len(self.ends) % 100:
            print(f"{len(self.ends):,} of {len(self.mutants):,} mutants", file=sys.stderr)


def in_functions(found: list[Mutant], tests: list[str], arguments: argparse.Namespace) -> dict[int, str] | str:
    """How each of these mutants ended; the process is another one afterwards."""
    session = Session(found, arguments.jobs, arguments.slow)
    code = pytest.main([*PYTEST, *tests], plugins=[session])
    return session.ends if session.ends else f"pytest ended with {code!r}"


def candidates(names: list[str]) -> Iterator[tuple[str, Path]]:
    """The files that are named, or all, each after its folder."""
    for group, paths in groups().items():
        for path in paths:
            if not names or any(f"{path.relative_to(ROOT)}/".startswith(f"{name}/") for name in names):
                yield group, path


def can_be_put(mutant: Mutant) -> bool:
    """Whether it changes functions only."""
    return mutant.swaps is not None


def sample(files: list[tuple[str, Path]], count: int, seed: int) -> Iterator[tuple[str, Mutant]]:
    """So many mutants: a file is drawn in proportion to its lines, then one of its mutants."""
    rng, lines = random.Random(seed), [len(path.read_text("utf-8").splitlines()) for _, path in files]
    drawn = Counter(rng.choices(range(len(files)), lines, k=count))
    for number, many in sorted(drawn.items()):
        group, path = files[number]
        found = list(filter(can_be_put, mutants(path)))
        yield from ((group, mutant) for mutant in rng.sample(found, min(many, len(found))))


def measure(group: str, found: list[Mutant], arguments: argparse.Namespace) -> list[tuple[Mutant, str]]:
    """How each of these mutants of a group ended."""
    tests = tests_of(group)
    results: list[tuple[Mutant, str]] = []

    def done(_: object, child: Forked) -> None:
        if not isinstance(child.answer, dict):
            sys.exit(f"the tests of {group} cannot be run: {child.answer} {child.error}")
        results.extend((found[number], end) for number, end in child.answer.items())

    at_once(1, [(None, lambda: Forked(lambda: in_functions(found, tests, arguments), 36_000, quiet=False))], done)
    return sorted(results, key=lambda each: (each[0].path, each[0].line))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", metavar="NAME", nargs="*", help="a folder or a file")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--sample", type=int, metavar="N", help="measure so many mutants; by default all")
    parser.add_argument(
        "--seed", type=int, default=secrets.randbelow(10**6), help="draws the sample; by default at random"
    )
    parser.add_argument("--slow", action="store_true", help="also run the tests that are marked slow")
    parser.add_argument("--fail-under", type=float, default=0, metavar="PERCENT", help="how many have to be noticed")
    arguments = parser.parse_args()
    os.chdir(ROOT)
    kept = tempfile.TemporaryDirectory(prefix="coc-mutation-")
    os.environ |= {"CI": "1", "OMP_NUM_THREADS": "1", "COC_TOY_CHECKPOINT": f"{kept.name}/toy"}
    for name in HEAVY:
        importlib.import_module(name)
    files = list(candidates(arguments.names))
    found = ((group, mutant) for group, path in files for mutant in filter(can_be_put, mutants(path)))
    if files and arguments.sample is not None:
        found = sample(files, arguments.sample, arguments.seed)
        print(f"the sample of --seed {arguments.seed}", flush=True)
    chosen: dict[str, list[Mutant]] = defaultdict(list)
    for name, mutant in found:
        chosen[name].append(mutant)
    if not chosen:
        parser.error("no mutants: NAME is a file or in one of " + ", ".join(groups()))
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    together = Counter[str]()
    for name, those in chosen.items():
        start = time.monotonic()
        for mutant, end in measure(name, those, arguments):
            file = str(mutant.path.relative_to(ROOT))
            rows[file][end] += 1
            together[end] += 1
            if end != "killed":
                print(f"{end}: {file}:{mutant.line} {mutant.within[0]}\n{mutant.diff}\n", flush=True)
        print(f"{name}: {time.monotonic() - start:.0f} s", file=sys.stderr)
    print("| file | mutants", *ENDS, sep=" | ", end=" |\n")
    for file, counts in (*rows.items(), ("together", together)):
        print(f"| `{file}` | {counts.total():,}", *(f"{counts[end]:,}" for end in ENDS), sep=" | ", end=" |\n")
    print(f"{together.total():,} mutants: " + ", ".join(f"{together[end]:,} {end}" for end in ENDS if together[end]))
    noticed = together["killed"] + together["timed out"]
    return int(100 * noticed < arguments.fail_under * together.total())


if __name__ == "__main__":
    sys.exit(main())
