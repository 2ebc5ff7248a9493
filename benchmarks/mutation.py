"""Change the code in one small place at a time, and see whether a test notices.

    pip install -e '.[mutation]'
    python benchmarks/mutation.py [NAME ...] [--sample 200] [--slow] [--fail-under 90] [--jobs 2]

NAME is a folder, such as `coc_core/execution`, or a file, such as `coc_core/execution/machine.py`; without one, all that
decides a result is measured. A mutant is a copy of the repository in which one of mutmut's operators has changed a
function. Those tests of its folder are run that reach the changed line, until one fails or takes much longer than with
the right code. Prints the mutants that survive, and how many were killed.

With `--sample 200`, only so many mutants are measured, of files drawn in proportion to their lines. The seed is drawn and
printed; `--seed` draws the same sample of the same code. Tests marked slow are left out; with `--slow`, they are run for
what has survived the others. With `--fail-under 90`, the exit code is 1 if less than 90% of the mutants are killed.

mutmut itself leaves out decorated functions, so properties, too, and runs all tests before the first mutant.
"""

import argparse
import ast
import os
import random
import resource
import secrets
import shutil
import subprocess
import sys
import time
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from difflib import unified_diff
from fnmatch import fnmatch
from functools import partial
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory

import libcst as cst
from coverage import CoverageData
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.file_mutation import MutationVisitor
from mutmut.mutation.mutators import mutation_operators
from mutmut.mutation.pragma_handling import IgnoredCode

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

MARKS = "not slow and not exhaustive", "slow and not exhaustive"
MEMORY = 6 << 30  # bytes
LONGER, EXTRA = 5, 30  # times as long as the folder's tests with the right code, and seconds more, are too long


class Finder(MutationVisitor):
    """Also goes into decorated functions."""

    def _skip_node_and_children(self, node):
        return not isinstance(node, cst.FunctionDef) and super()._skip_node_and_children(node)


def lines_of_functions(text):
    """The lines of the function that a line is in: without its head, which runs at import."""
    functions = (each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.FunctionDef))
    bodies = (range(each.body[0].lineno, each.end_lineno + 1) for each in functions)
    return {line: body for body in bodies for line in body}


def mutants(path, rng):
    """The mutants of a module that are other programs, in random order: each the changed line and the text."""
    before = path.read_text()
    inside, tree = lines_of_functions(before), ast.dump(ast.parse(before))
    wrapper = MetadataWrapper(cst.parse_module(before))
    finder = Finder(mutation_operators, IgnoredCode(set(), set(), set()))
    wrapper.visit(finder)
    places = wrapper.resolve(PositionProvider)
    rng.shuffle(finder.mutations)
    for each in finder.mutations:
        line = places[each.original_node].start.line
        text = wrapper.module.deep_replace(each.original_node, each.mutated_node).code
        try:
            compile(text, path, "exec", dont_inherit=True)
        except SyntaxError:
            continue
        if line in inside and ast.dump(ast.parse(text)) != tree:
            yield line, text


def candidates(names):
    """The files that are named, or all that decide a result."""
    for path in (*sorted(ROOT.glob("coc_core/**/*.py")), *sorted(ROOT.glob("plugins/**/*.py"))):
        name = str(path.relative_to(ROOT))
        is_named = not names or any(f"{name}/".startswith(f"{each}/") for each in names)
        if is_named and not any(fnmatch(name, pattern) for pattern in LEFT_OUT):
            yield path


def sample(files, count, rng):
    """How many mutants of each file: so many together, in proportion to the lines."""
    return Counter(rng.choices(files, [len(path.read_text().splitlines()) for path in files], k=count))


def tests_of(group):
    """The tests of a folder: those of the nearest one that is mirrored in the folder of tests."""
    nearest = next(each for each in (Path(group), *Path(group).parents) if (ROOT / "tests" / each).is_dir())
    core = [str(each.relative_to(ROOT)) for each in sorted(ROOT.glob("tests/coc_core/test_*.py"))]
    here = core if nearest == Path("coc_core") else [f"tests/{nearest}"]
    return [*here, *(f"tests/{each}" for each in ALSO.get(group, []))]


def run(copy, marks, words, limit=None):
    """The exit code of pytest in a copy of the repository."""
    environment = os.environ | {"CI": "1", "OMP_NUM_THREADS": "1", "COVERAGE_CORE": "ctrace"}
    environment |= {"PYTHONPATH": f"{copy}:{copy}/plugins"}
    command = [sys.executable, "-m", "pytest", "-qx", "--hypothesis-profile=mutation", "-m", marks, *words]
    return subprocess.run(
        command,
        cwd=copy,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=limit,
        check=False,
    ).returncode


def reaching(copy, marks, tests):
    """The tests that run each line of each file, with the right code, and the seconds of all."""
    started = time.monotonic()
    code = run(copy, marks, [*tests, "--cov=coc_core", "--cov=plugins", "--cov-context=test", "--cov-report="])
    if code not in (0, 5):  # 5: there are no such tests
        raise RuntimeError(f"with the right code, a test fails: pytest -m '{marks}' {' '.join(tests)}")
    data = CoverageData(copy / ".coverage")
    data.read()
    found = defaultdict(lambda: defaultdict(set))
    for file in data.measured_files():
        for line, names in data.contexts_by_lineno(file).items():
            found[os.path.relpath(file, copy)][line] = {each.rpartition("|")[0] for each in names if each}
    return found, time.monotonic() - started


def is_killed(copy, marks, name, line, text, tests, limit):
    """Whether one of these tests notices that a file has another text."""
    path = copy / name
    before = path.read_text()
    inside = lines_of_functions(before)[line]
    chosen = tests[name][line] or {*chain.from_iterable(tests[name][each] for each in inside)}
    (copy / "chosen").write_text("\n".join(sorted(chosen)))
    path.write_text(text)
    try:
        return bool(chosen) and run(copy, marks, ["@chosen"], limit) != 0
    except subprocess.TimeoutExpired:
        return True
    finally:
        path.write_text(before)


def survivors(slow, group):
    """Those of a folder's mutants that no test notices."""
    folder, found = group
    with TemporaryDirectory(prefix="coc-mutation-") as scratch:
        copy = Path(scratch) / "copy"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "__pycache__"), symlinks=True)
        for marks in MARKS[: 1 + slow]:
            if found:
                tests, seconds = reaching(copy, marks, tests_of(folder))
                limit = EXTRA + LONGER * seconds
                found = [each for each in found if not is_killed(copy, marks, *each, tests, limit)]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", metavar="NAME", nargs="*", help="a folder or a file")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many folders at a time")
    parser.add_argument("--sample", type=int, metavar="N", help="measure so many mutants; by default all")
    parser.add_argument(
        "--seed", type=int, default=secrets.randbelow(10**6), help="draws the sample; by default at random"
    )
    parser.add_argument("--slow", action="store_true", help="also run the tests that are marked slow")
    parser.add_argument("--fail-under", type=float, default=0, metavar="PERCENT", help="how many have to be noticed")
    arguments = parser.parse_args()
    files, rng = list(candidates(arguments.names)), random.Random(arguments.seed)
    if not files:
        parser.error("no mutants: NAME is a file or a folder of what decides a result")
    counts = dict.fromkeys(files) if arguments.sample is None else sample(files, arguments.sample, rng)
    if arguments.sample is not None:
        print(f"the sample of --seed {arguments.seed}", flush=True)
    groups = defaultdict(list)
    for path, count in counts.items():
        name = path.relative_to(ROOT)
        groups[str(name.parent)] += [(str(name), *each) for each in islice(mutants(path, rng), count)]
    total, survived = sum(map(len, groups.values())), 0
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for name, line, text in chain.from_iterable(pool.map(partial(survivors, arguments.slow), groups.items())):
            survived += 1
            difference = unified_diff((ROOT / name).read_text().splitlines(), text.splitlines(), lineterm="", n=0)
            print(f"survived: {name}:{line}", *list(difference)[3:], "", sep="\n", flush=True)
    print(f"killed {total - survived:,} of {total:,} mutants")
    return int(100 * (total - survived) < arguments.fail_under * total)


if __name__ == "__main__":
    sys.exit(main())
