"""Which memories a program can run on: tape, stack and heap; with results, stack and heap; with records, the heap."""

import pytest

from coc_core.errors import UsageError
from coc_core.memories import Memo
from coc_core.plugin import Registry, installed, load
from coc_core.setting import Setting
from coc_programs import interpret


@pytest.fixture
def registry(entry_point):
    plugins = [point for point in installed() if point.name in ("core", "hanoi", "heap")]
    return Registry.of(load([*plugins, entry_point("programs", "tests.support.hanoi_programs")]))


def run_of(setting, problem):
    actions = []
    machine = setting.machine(problem, [lambda record: actions.extend(record.actions)])
    machine.run(Memo(setting.convention.target_for).__getitem__)
    return machine, actions


ABLE = [
    ("hanoi-calls", "tape", "inline"),
    ("hanoi-calls", "tape", "symbolic"),
    ("hanoi-calls", "pda", "symbolic"),
    ("hanoi-calls", "heap", "inline"),
    ("hanoi-calls", "heap", "symbolic"),
    ("hanoi-results", "pda", "symbolic"),
    ("hanoi-results", "heap", "inline"),
    ("hanoi-results", "heap", "symbolic"),
    ("hanoi-records", "heap", "inline"),
    ("hanoi-records", "heap", "symbolic"),
]


@pytest.mark.parametrize(("domain", "memory", "arithmetic"), ABLE)
def test_a_program_solves_hanoi_on_the_memories_that_have_what_it_uses(registry, domain, memory, arithmetic):
    setting = Setting.of(registry, domain, memory, arithmetic)
    shipped = Setting.of(registry, "hanoi", "pda", "symbolic")
    for n in range(1, 8):
        problem = setting.domain.problem(n)
        machine, actions = run_of(setting, problem)
        assert machine.status == "solved"
        assert actions == run_of(shipped, problem)[1]
        assert actions == [*interpret(*setting.domain.begin(problem))]


@pytest.mark.parametrize(
    ("domain", "memory", "message"),
    [
        ("hanoi-results", "tape", "hanoi-results needs a memory with results, and tape has none; choose one of: "),
        ("hanoi-records", "tape", "hanoi-records needs a memory with records, and tape has none; choose one of: heap"),
        ("hanoi-records", "pda", "hanoi-records needs a memory with records, and pda has none; choose one of: heap"),
    ],
)
def test_a_memory_that_lacks_what_it_uses_is_refused_in_one_line(registry, domain, memory, message):
    with pytest.raises(UsageError) as caught:
        Setting.of(registry, domain, memory, "symbolic")
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_what_a_program_needs_follows_from_it(registry):
    needs = {name: Setting.of(registry, name, "heap", "symbolic").domain.needs for name, _, _ in ABLE}
    assert needs == {"hanoi-calls": set(), "hanoi-results": {"results"}, "hanoi-records": {"records"}}
