"""Every compiled step equals a direct interpretation of the source: whole programs are drawn and run both ways."""

import random
import re
from collections import Counter
from contextlib import ExitStack
from itertools import islice
from typing import Any

import pytest

from coc_core.errors import PluginError
from coc_core.memories import PDAStack, PointerTape, StackConvention, tape_convention
from coc_core.types import Limits
from coc_problems import closure, is_closed
from coc_programs.heap.convention import HeapConvention
from coc_programs.heap.memory import Heap
from tests.support.drawn_programs import CONSTRUCTS, LIBRARY_CLASSES, Author, constructs, drawn_records
from tests.support.program_runs import Go, directly, domain_of, module_of, on_machine, without_names

LIMITS = Limits(steps=400)
MOST_PAIRS = 1000


def settings_of(domain):
    """Each memory and convention that the program can run on, and whether its texts have the names of the problem."""
    needs = domain.needs
    yield Heap(LIMITS), HeapConvention(domain, "numeric", LIMITS), True
    yield Heap(LIMITS), HeapConvention(domain, "symbolic", LIMITS), "records" not in needs
    dropping = Heap(LIMITS)
    dropping.spare = 0
    yield dropping, HeapConvention(domain, "symbolic", LIMITS), "records" not in needs
    if "records" not in needs:
        yield PDAStack(LIMITS), StackConvention(domain, "symbolic", LIMITS), True
    if not needs:
        for notation in ("numeric", "symbolic"):
            yield PointerTape(LIMITS), tape_convention(domain, notation, LIMITS), True


def all_pairs(convention):
    """All pairs of the convention, listed without a run; None if there are many, or no end of them."""
    if not is_closed(convention):
        return None
    pairs = {pair.prompt: pair.target for pair in islice(closure(convention, [Go()]), MOST_PAIRS)}
    return pairs if len(pairs) < MOST_PAIRS else None


def check(choose, folder, seen):
    author = Author(choose, is_hostile=choose(2) == 0)
    text = author.module()
    refused = ""
    try:
        run_both_ways(choose, folder, seen, author, text)
    except PluginError as error:
        refused = str(error)
        seen["refused"] += 1
    as_it_should = author.is_hostile and re.match(r"drawn_\d+\.py, line \d+, in \w+: .*; ", refused)
    assert not refused or as_it_should, f"{refused}\n{text}"


def run_both_ways(choose, folder, seen, author, text):
    with ExitStack() as stack:
        try:
            module = stack.enter_context(module_of(text, folder))
            records, value = drawn_records(choose, author, module, choose(6) if author.classes else 0)
        except (TypeError, NameError, SyntaxError):  # a name hides what the module needs itself, or Python mangles it
            assert author.is_hostile, text
            return
        first = author.procedures[0]
        arguments = {author.named(name): value(kind) for name, kind in first.arguments.items()}
        main = getattr(module, author.named("alpha"))
        call = main(**{author.named("fuel"): 3 - choose(2)}, **arguments)
        own = (getattr(module, author.named(each)) for each in author.classes)
        domain = domain_of(main, lambda: (call, records), *own, *LIBRARY_CLASSES * author.has_library)
        records[:] = [record for record in records if type(record) in domain.compiled.records]
        listed: Any = {}
        for memory, convention, has_names in settings_of(domain):
            compiled, straight = on_machine(domain, memory, convention, LIMITS), directly(call, records)
            if (convention.notation, convention.name) == ("symbolic", "heap"):
                if listed == {}:
                    listed = None if choose(4) else all_pairs(convention)
                assert listed is None or compiled.pairs.items() <= listed.items(), text
            told = [each if has_names else without_names(each) for each in straight.emits]
            emits = [each if has_names else without_names(each) for each in compiled.emits]
            seen[f"{memory.name} {convention.notation}"] += 1
            seen["steps"] += compiled.steps
            if compiled.limited:
                seen["the limit"] += 1
                assert emits == told[: len(emits)], text
            elif compiled.error is not None:
                seen["wrong"] += 1
                assert emits == told[: len(emits)], text
                error = str(compiled.error)
                file, number = re.match(r"(\w+)\.py, line (\d+)", error).groups()
                line = text.splitlines()[int(number) - 1] if file.startswith("drawn") else "read("
                is_hint = "cast(" in line or "None is not" in error  # Python looks at no hint
                assert straight.error is not None or is_hint, f"{error}\n{text}"
                is_known = re.search(r"(read|write|chain|each|cast)\(", line)
                assert is_known or author.is_hostile, f"{error}\n{text}"
            else:
                assert straight.error is None, text
                assert emits == told, text
                actions = [each for each in straight.emits if type(each).__name__ == "Say"]
                assert [each for each in compiled.emits if type(each).__name__ == "Say"] == actions, text
                assert {**straight.records, **compiled.records} == straight.records, text
                dropped = len(straight.records) - len(compiled.records)
                assert not dropped or memory.spare == 0
                seen["dropped"] += dropped
                result = None if compiled.result is None else compiled.result.value
                expected = straight.result if author.procedures[0].result else None
                assert (result if has_names else without_names(result)) == (
                    expected if has_names else without_names(expected)
                ), text
        seen["listed"] += listed is not None
    seen.update(constructs(author.own))
    seen["hostile"] += author.is_hostile


def check_many(numbers, folder):
    seen = Counter()
    for number in numbers:
        check(random.Random(number).randrange, folder, seen)
    return seen


def test_a_compiled_program_does_what_the_source_says(tmp_path):
    assert {"wrong", "listed", "hostile"} <= {*check_many(range(36), tmp_path)}


@pytest.mark.slow
@pytest.mark.no_cover
@pytest.mark.parametrize("number", range(10))
def test_ten_thousand_compiled_programs_do_what_the_source_says(tmp_path, number):
    seen = check_many(range(number, 10_000, 10), tmp_path)
    assert CONSTRUCTS | {"wrong", "listed", "hostile", "refused"} <= {*seen}, CONSTRUCTS - {*seen}
