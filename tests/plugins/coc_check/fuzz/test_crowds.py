"""Cases beyond every room: what shows a fault that a few runs with a model that responds at once can't show."""

from types import SimpleNamespace

import pytest
from attrs import evolve

from coc_check.fuzz import Case, Cut, trial
from coc_check.fuzz.hunt import Reached
from coc_check.fuzz.place import model_of, problems_of, setting_of
from coc_check.fuzz.report import as_test
from coc_check.fuzz.strategies import sizes_of
from coc_check.fuzz.trial import ending, line_budget, stopped, try_case
from coc_check.plain import run_plainly
from coc_core.execution import Lockstep, Sequential
from tests.broken import faulty_executors
from tests.support.conformance import offering

SMALL, LARGE = "n=1 src=1 dst=3", "n=2 src=1 dst=3"
CASE = Case("sequential", "hanoi", "pda", "symbolic", (LARGE, SMALL))
ENDLESS = {"INSTR CALL n=2 src=1 dst=3 aux=2": ("PUSH CALL n=2 src=1 dst=3 aux=2",)}
REGISTRY = offering(*faulty_executors.coc_executors())

SHOWN = {
    "full-room": ({"count": 4}, {"count": 3}),
    "refill": ({"count": 5}, {"count": 4}),
    "one-too-many": ({"faulty_calls": 1}, {}),
    "goes-on": ({"stops": ((0, 1),), "problems": (LARGE, LARGE)}, {"stops": ((0, 1),), "problems": (LARGE,)}),
    "left-over": ({"used": True}, {}),
    "helpful": ({"faulty_calls": 1}, {}),
    "fourth-vote": ({"votes": True}, None),
    "one-more": ({"silent": True}, {}),
}
"""What shows the fault of each executor, and what does not."""


def test_each_part_of_a_case_shows_a_fault():
    for executor, (shows, hides) in SHOWN.items():
        case = evolve(CASE, executor=executor, **shows)
        assert try_case(REGISTRY, case) is not None, executor
        if hides is not None:
            assert try_case(REGISTRY, evolve(CASE, executor=executor, **hides)) is None, executor
        for sound in ("vote:k=2",) if case.votes else ("rooms", "lockstep", "summary"):
            assert try_case(REGISTRY, evolve(case, executor=sound)) is None, (executor, sound)
        text = as_test(case)
        assert eval(text[text.index("Case(") : text.index("    reproduce")]) == case


def test_small_limits_change_nothing():
    assert sizes_of(Lockstep()) == ["cache_bytes", "max_machines"]
    assert sizes_of(Sequential()) == []
    for executor, sizes in (
        ("lockstep", {"max_machines": 2, "cache_bytes": 1}),
        ("speculative", {"max_draft": 1, "cache_bytes": 700}),
        ("summary", {"max_machines": 1, "max_prompts": 1, "max_values": 1}),
        ("vote", {"cache_bytes": 1}),
    ):
        for silent, responses in ((False, {}), (True, {}), (False, ENDLESS)):
            case = evolve(CASE, executor=executor, count=9, silent=silent, sizes=sizes, responses=responses)
            assert try_case(REGISTRY, case) is None


def test_a_run_that_is_asked_to_stop_is_the_beginning_of_the_whole_run():
    setting = setting_of(REGISTRY, CASE)
    problem, _ = problems_of(setting, CASE)
    whole = run_plainly(setting, problem, model_of(setting, CASE))
    assert stopped(whole, 4) is stopped(whole, 5) is whole
    part = stopped(whole, 3)
    assert (part.outcome.status, part.steps, part.state) == ("interrupted", whole.steps[:3], whole.steps[2].after)
    limited = evolve(CASE, most_steps=2)
    faulty = run_plainly(setting_of(REGISTRY, limited), problem, model_of(setting, limited))
    assert [ending(each) for each in (whole, faulty, stopped(faulty, 2))] == ["solved", "limit fault", "interrupted"]


def test_a_voting_model_is_wrong_about_a_minority():
    case = evolve(CASE, executor="vote", votes=True, responses={"INSTR CALL n=1 src=1 dst=3 aux=2": (None,)})
    setting = setting_of(REGISTRY, case)
    model, right = model_of(setting, case), setting.convention.target_for("INSTR CALL n=2 src=1 dst=3 aux=2")
    assert model.sample(["INSTR CALL n=2 src=1 dst=3 aux=2"] * 5, range(5)) == [right] * 3 + [right[:-1], right]
    (fault,) = model.sample(["INSTR CALL n=1 src=1 dst=3 aux=2"], [0])
    assert fault.kind == "numeric"
    assert model.calls == model.written == 6
    assert try_case(REGISTRY, case) is None
    for votes in (True, False):  # only an executor that takes votes may refuse a model
        assert (try_case(REGISTRY, evolve(CASE, executor="picky", votes=votes)) is None) == votes


# ── what was reached ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.no_cover
def test_an_executor_that_comes_to_no_end_is_stopped():
    found = try_case(REGISTRY, evolve(CASE, executor="spinning"))
    assert (found.what, found.found) == ("what the executor raised", "RuntimeError: the executor comes to no end")


def test_lines_of_the_executors_own_code_are_counted(monkeypatch):
    """The tracer is called by hand, since no tracer sees what another one does."""
    tracers = [None]
    monkeypatch.setattr(trial, "sys", SimpleNamespace(gettrace=lambda: tracers[-1], settrace=tracers.append))
    with line_budget(Lockstep(), 2):
        enter = tracers[-1]
    assert tracers == [None, enter, None]
    tracers.append(print)  # another tracer
    with line_budget(Lockstep(), 2):
        pass
    assert tracers[-1] is print
    assert enter(SimpleNamespace(f_globals={"__name__": "coc_core.execution.machine"}), "call", None) is None
    follow = enter(SimpleNamespace(f_globals={"__name__": "coc_core.execution.lockstep"}), "call", None)
    for event in ("line", "return", "line"):
        assert follow(None, event, None) is follow
    with pytest.raises(RuntimeError, match="the executor comes to no end"):
        follow(None, "line", None)


def test_what_was_reached_is_told():
    reached = Reached(3)
    assert reached.lines()[1:3] == ["runs should end: none", "cases: none"]
    reached.add(evolve(CASE, count=7, sizes={"max_machines": 2}), ["solved", "loop fault"])
    reached.add(evolve(CASE, cuts=(Cut("disk", 1),)), ["solved"])
    first, ends, cases, cuts = reached.lines()
    assert first == "settings: 1 of 3; up to 7 runs at once"
    assert ends == "runs should end: solved 2, loop fault 1"
    assert cases.startswith("cases: several runs 2, more runs than room 1, small limits of the executor 1")
    assert cuts == "interrupted in 1 of 7 ways: disk 1"
    assert reached.document()["endings"] == {"solved": 2, "loop fault": 1}
