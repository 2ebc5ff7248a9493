"""`coc_check.fuzz`: each planted fault is found, shrunk, and told by a test."""

from pathlib import Path

import pytest
from attrs import evolve

from coc_check.fuzz import Case, Cut, hunt
from coc_check.fuzz.case import as_test
from coc_check.fuzz.hunt import KINDS, Hunt, wrong_target
from coc_check.fuzz.trial import Differs, in_words, try_case
from coc_check.plain import Difference, run_plainly
from coc_check.scripted import NO_TARGET, ScriptedPolicy
from coc_core.errors import NumericFault, UsageError
from coc_core.plugin import DomainSpec, Registry
from coc_core.setting import Setting
from tests.support.conformance import offering
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY

HANOI = Case("sequential", "hanoi", "pda", "symbolic", ("n=2 src=1 dst=3",))
SETTING = Setting.of(REGISTRY, "hanoi", "pda", "symbolic")
FIRST = "INSTR CALL n=2 src=1 dst=3 aux=2"


@pytest.fixture
def planted(with_plugins):
    with_plugins(("faulty", "tests.broken.faulty_executors"))


# ── the hunt ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
@pytest.mark.usefixtures("planted")
@pytest.mark.parametrize("executor", ["hasty", "coarse", "overshooting", "mixing", "repeating"])
def test_a_planted_fault_is_found_and_told(executor):
    # Not on a heap: `coarse` goes wrong there with four blocks and not with fewer, so there it can't be shrunk further.
    registry = Registry.of(plugin for plugin in Registry.installed().plugins if plugin.name != "heap")
    search = Hunt(registry, executor, number=0)
    found = search.run(300)
    assert found is search.found is not None
    case, _ = found
    domain = registry.create(DomainSpec, case.domain)
    assert max(domain.size(domain.problems.parse(text)) for text in case.problems) <= 3
    assert sum(map(len, case.responses.values())) <= 1
    assert (len(case.cuts) <= 1, len(case.problems) <= 2, case.runs <= 4) == (True, True, True)
    text = as_test(case)
    assert run_as_test(text, executor) == in_words(*found)
    assert run_as_test(text.replace(f"'{executor}'", "'sequential'"), executor) is None


def run_as_test(text, executor):
    """The error of a printed test; None if it passes."""
    module = {}
    exec(text, module)
    try:
        module[f"test_{executor}_does_as_algorithm_1_says"]()
    except Differs as complaint:
        return tuple(str(complaint).split("\n"))


@pytest.mark.usefixtures("planted")
def test_the_same_seed_finds_the_same(monkeypatch):
    registry = Registry.installed()
    first, second, hasty = (Hunt(registry, "coarse", "hanoi", "pda", "symbolic", number=5) for _ in range(3))
    assert first.run(100) == second.run(100) is not None
    assert first.tried == second.tried
    monkeypatch.setattr(hunt, "SHRINKING", -1.0)
    case, difference = hasty.run(100)
    assert try_case(registry, case) == difference
    assert hasty.tried < first.tried


def test_a_hunt_ends_in_time_and_without_a_case_is_no_success():
    search = Hunt(REGISTRY, "sequential", "hanoi", "pda", "symbolic")
    with pytest.raises(UsageError, match="no case was tried"):
        search.run(0)
    for tried, seconds in enumerate((0.0, float("nan")), 1):
        assert search.run(100_000, seconds) is None
        assert search.tried <= tried


@pytest.mark.slow
def test_a_hunt_takes_place_where_it_is_told_to_in_every_way_and_says_so(monkeypatch):
    monkeypatch.setattr(hunt, "try_case", lambda registry, case: None)

    def searched(*names):
        search = Hunt(REGISTRY, *names)
        search.run(50)
        return search

    plain = searched("sequential", "pancake", "tape", "inline")
    assert plain.settings == {("pancake", "tape", "inline")}
    assert plain.lines()[0] == "settings: 1 of 1"
    assert plain.lines()[1].startswith("cases with: ")
    always = {"most_steps", "responses", "count", "stops", "cuts", "used", "faulty_calls"}
    assert plain.reached["cases with"].keys() == always
    assert "votes" in searched("vote", "pancake").reached["cases with"]
    assert {"silent", "sizes"} <= searched("summary", "hanoi").reached["cases with"].keys()


def test_a_place_that_can_not_be_is_refused():
    spec = DomainSpec("taped", "coc_puzzles.hanoi.domain:Hanoi", "only on a tape", memories=("tape",))
    with pytest.raises(UsageError, match="no executor can be tried there"):
        Hunt(offering(spec), "cached", "taped", "pda")


# ── the models and the words ──────────────────────────────────────────────────────────────────────────────────────────


@for_each("kind", KINDS)
@for_each(("memory", "domain"), [("pda", "hanoi"), ("tape", "blocksworld")])
def test_a_wrong_target_is_not_the_right_one(kind, memory, domain):
    setting = Setting.of(REGISTRY, domain, memory, "symbolic")
    steps = run_plainly(setting, setting.domain.problem(2)).steps
    for which in range(4):
        text = wrong_target((kind, which), setting.convention, steps[0], steps[1:])
        assert text is None if kind == "numeric" else isinstance(text, str)
        assert kind in ("numeric", "undone") or text != steps[0].target


def test_a_script_stops_behind_a_wrong_draft_and_before_a_fault():
    script = ScriptedPolicy(SETTING.convention, {"b": ("B",), "c": (None,)})
    assert script.complete(["nonsense", FIRST]) == [NO_TARGET, SETTING.convention.target_for(FIRST)]
    assert script.verify(["a", "b", "b"], [NO_TARGET, "no", "B"]) == [NO_TARGET, "B"]
    assert script.verify(["b", "c"], ["B", ""]) == ["B"]
    with pytest.raises(NumericFault):
        script.verify(["c"], [""])


def test_a_test_says_only_what_matters_and_can_be_read_back():
    responses = {"a": ("x" * 601,), 'b"': (None, "\x1b", "left\nright")}
    case = evolve(HANOI, responses=responses, cuts=(Cut("model", 2),), used=True, most_steps=9, sizes={"room": 2})
    text = as_test(case)
    assert eval(text[text.index("Case(") : text.index("    reproduce")]) == case
    plain = as_test(HANOI, [Path("my_executor.py")])
    assert "Cut" not in plain
    assert "used" not in plain
    assert "Registry.installed([Path('my_executor.py')])" in plain
    compile(plain, "test", "exec")


def test_words_name_the_problem_where_there_are_several():
    difference = Difference(1, 3, "the target", "'a'", "'\x1b'")
    assert in_words(evolve(HANOI, problems=2 * HANOI.problems), difference) == (
        "sequential is not Algorithm 1 at step 3 of run 2 of 2: the target",
        "  should be 'a'",
        "  but is    '\\x1b'",
    )
