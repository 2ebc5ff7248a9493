"""For whole programs that are drawn, the checker of certificates takes the steps that coc takes, prompt by prompt."""

import random
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from coc_core.errors import PluginError
from coc_problems import every_prompt, has_few_kinds
from coc_programs import Record, procedure, read, write
from coc_programs.heap.convention import HeapConvention
from tests.support.drawn_programs import CONSTRUCTS, LIBRARY_CLASSES, Author, constructs, drawn_records
from tests.support.program_checker import imported_checker, listed_alike
from tests.support.program_runs import Say, domain_of, module_of

ROOT = Path(__file__).parents[2]
BEGINNINGS = 6


class Knot(Record):
    left: "Knot | None" = None
    right: "Knot | None" = None


@pytest.fixture(scope="module")
def checker():
    with imported_checker() as found:
        yield found


def beginning(choose, author, module):
    """A call and five records with links between them at random."""
    records, value = drawn_records(choose, author, module, 5 if author.classes else 0)
    arguments = {name: value(kind) for name, kind in author.procedures[0].arguments.items()}
    return module.alpha(fuel=1 + choose(3), **arguments), records


def stated(choose, author, module, domain):
    """What some runs begin with, as an author states it: with references among these records."""
    for call, records in (beginning(choose, author, module) for _ in range(BEGINNINGS)):
        yield from [call, *(record for record in records if type(record) in domain.compiled.records)]


def procedures(listed):
    """The names of the procedures that have prompts."""
    return {prompt.split(" ")[1].partition(".")[0] for prompt in [*dict(listed.pairs), *listed.wrong]}


def check(seed, checker, folder):
    """How a drawn program fares, with its constructs: from all that its types allow, or from what it states."""
    from certificate.strict import Refused

    choose = random.Random(seed).randrange
    author = Author(choose)
    text = author.module()
    with module_of(text, folder) as module:
        own = [getattr(module, each) for each in author.classes]
        domain = domain_of(module.alpha, lambda: None, *own, *LIBRARY_CLASSES * author.has_library)
        if seed % 3:
            domain.kinds = lambda kinds=[*stated(choose, author, module, domain)]: kinds
        convention = HeapConvention(domain, "symbolic")
        names = {procedure.name for procedure in domain.compiled.codes}
        if not has_few_kinds(convention):
            return "growing", ()
        try:
            listed, data = listed_alike(checker, domain)
        except PluginError as error:
            return str(error)[-60:], ()
        except Refused as refused:
            told = str(refused)
            assert "calls" not in told or procedures(every_prompt(convention)) < names, text
            return told[:50], ()
        assert procedures(listed) == names == {each["name"] for each in data["procedures"]}, text
        return "the same", constructs(author.own)


@procedure
def knot(a: Knot, b: Knot) -> None:
    """Compare the arguments before anything is read, and write two records, which may be one."""
    if a != b:
        x = yield read(a)
        if x.right:
            yield write(b, left=None, right=None)
            yield write(a, left=b)
            yield knot(b, a)
    else:
        yield Say(None)


@procedure
def tangle(a: Knot, b: Knot) -> None:
    """Write two records, which may be one, and compare none."""
    x = yield read(a)
    if x.right:
        yield write(b, left=None, right=None)
        yield write(a, left=b)
        yield tangle(a, b)


def test_names_that_may_be_of_one_record(checker):
    one, other = Knot(), Knot()
    other.left = other.right = one.right = one
    for main, kinds in product((knot, tangle), (None, [one, other])):
        domain = domain_of(main, lambda: None, Knot)
        kinds = kinds and [main(one, other), *kinds]
        domain.kinds = lambda kinds=kinds: kinds
        listed, _ = listed_alike(checker, domain)
        assert ("CALL knot a=K1 b=K2" in listed.first) == (main is knot)
        assert f"CALL {main.name}.1 b=K1 AT K2: left=K3 right=-" in dict(listed.pairs)


def check_many(seeds, checker, folder):
    seen, constructs = Counter(), set()
    for seed in seeds:
        fared, used = check(seed, checker, folder)
        seen[fared] += 1
        constructs |= {*used}
    print(f"{len(seeds)} programs: {dict(seen)}")
    assert seen["the same"] > len(seeds) / 3
    return constructs


def test_it_takes_the_steps_of_drawn_programs(checker, tmp_path):
    check_many(range(10), checker, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 1000, 500))
def test_it_takes_the_steps_of_many_drawn_programs(checker, tmp_path, first):
    assert check_many(range(first, first + 500), checker, tmp_path) >= CONSTRUCTS
