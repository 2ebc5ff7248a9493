"""Cases beyond every room: what shows a fault that a few runs with a model that responds at once can't show."""

import sys
from types import SimpleNamespace

import pytest
from attrs import evolve

from coc_check.fuzz import Case, Cut, branches as branches_module
from coc_check.fuzz.branches import Branches
from coc_check.fuzz.hunt import Hunt
from coc_check.fuzz.place import model_of, problems_of, setting_of, sizes_of
from coc_check.fuzz.reached import Reached
from coc_check.fuzz.report import as_test
from coc_check.fuzz.trial import ending, stopped, try_case
from coc_check.plain import run_plainly
from coc_core.execution import Lockstep, Sequential
from coc_core.plugin import ExecutorSpec, Plugin, Registry, installed, load
from coc_llm.voting.vote import Vote
from tests.broken import crowded_executors

SMALL, LARGE = "n=1 src=1 dst=3", "n=2 src=1 dst=3"
CASE = Case("sequential", "hanoi", "pda", "symbolic", (LARGE, SMALL))
ENDLESS = {"INSTR CALL n=2 src=1 dst=3 aux=2": ("PUSH CALL n=2 src=1 dst=3 aux=2",)}
SPECS = [
    ExecutorSpec(each.name, f"tests.broken.crowded_executors:{each.__name__}", "for a test")
    for each in (
        crowded_executors.Rooms,
        crowded_executors.Picky,
        crowded_executors.Spinning,
        *crowded_executors.CROWDED,
    )
]
REGISTRY = Registry.of([*load(installed()), Plugin("guest", __name__, "stranger", "1", tuple(SPECS))])

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
    assert set(SHOWN) == {each.name for each in crowded_executors.CROWDED}
    for executor, (shows, hides) in SHOWN.items():
        case = evolve(CASE, executor=executor, **shows)
        assert try_case(REGISTRY, case) is not None, executor
        if hides is not None:
            assert try_case(REGISTRY, evolve(CASE, executor=executor, **hides)) is None, executor
        for sound in ("vote:k=2",) if case.votes else ("rooms", "lockstep", "summary"):
            assert try_case(REGISTRY, evolve(case, executor=sound)) is None, (executor, sound)
        text = as_test(case)
        assert eval(text[text.index("Case(") : text.index("    reproduce")]) == case


@pytest.mark.slow
def test_a_search_goes_beyond_every_room():
    for executor in SHOWN:
        search = Hunt(REGISTRY, executor, "hanoi", "pda", "symbolic", number=1)
        found = search.run(500)
        assert found is not None, executor
        assert found.case.runs <= 6, executor


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
def test_branches_are_those_of_the_executors_own_code():
    branches = Branches(Lockstep())
    assert {code.co_name for code, _, _ in branches.every} >= {"_run"}
    before = branches.missing
    assert try_case(REGISTRY, evolve(CASE, executor="lockstep", count=150), None, branches) is None
    assert sys.gettrace() is None
    assert branches.taken < branches.every
    assert set(branches.missing) < set(before)
    assert any(line.startswith("lockstep.py:") for line in branches.missing)  # such as those of faults


@pytest.mark.no_cover
def test_an_executor_that_comes_to_no_end_is_stopped():
    found = try_case(REGISTRY, evolve(CASE, executor="spinning"))
    assert (found.what, found.found) == ("what the executor raised", "RuntimeError: the executor comes to no end")


def test_a_tracer_notes_branches_and_ends_what_comes_to_no_end(monkeypatch):
    """It is called by hand, since no tracer sees what another one does."""
    branches, tracers = Branches(Lockstep()), [None]
    fake = SimpleNamespace(gettrace=lambda: tracers[-1], settrace=tracers.append)
    monkeypatch.setattr(branches_module, "sys", fake)
    with branches:
        pass
    assert tracers == [None, branches.enter_frame, None]
    tracers.append(print)  # another tracer
    with branches:
        pass
    assert tracers[-1] is print
    code, offset, _ = min(branches.every, key=lambda branch: branch[1])
    assert branches.enter_frame(SimpleNamespace(f_code=compile("1", "x", "eval")), "call", None) is None
    frame, branches.left = SimpleNamespace(f_code=code, f_lasti=offset), 2
    follow = branches.enter_frame(frame, "call", None)
    assert follow(frame, "opcode", None) is follow
    frame.f_lasti = 0
    assert follow(frame, "opcode", None) is follow
    assert branches.latest == {(code, offset, False)}
    assert follow(frame, "return", None) is follow
    with pytest.raises(RuntimeError, match="the executor comes to no end"):
        follow(frame, "opcode", None)


def test_what_was_reached_is_told():
    reached = Reached(3, Branches(Vote()))
    assert reached.lines()[1:3] == ["runs should end: none", "cases: none"]
    reached.add(evolve(CASE, count=7, sizes={"max_machines": 2}), ["solved", "loop fault"])
    reached.add(evolve(CASE, cuts=(Cut("disk", 1),)), ["solved"])
    first, ends, cases, cuts, branches = reached.lines()
    assert first == "settings: 1 of 3; up to 7 runs at once"
    assert ends == "runs should end: solved 2, loop fault 1"
    assert cases.startswith("cases: several runs 2, more runs than room 1, small limits of the executor 1")
    assert cuts == "interrupted in 1 of 6 ways: disk 1"
    assert branches.startswith("branches of the executor: 0 of ")
    assert branches.endswith(", ...")
    assert reached.document()["endings"] == {"solved": 2, "loop fault": 1}
    reached.branches.taken = reached.branches.every
    assert reached.lines()[-1].endswith(f"{len(reached.branches.every)} of {len(reached.branches.every)}")
