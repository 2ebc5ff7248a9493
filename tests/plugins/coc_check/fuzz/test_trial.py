"""A case is tried: each part of one shows a fault, a fault is told, and what is sound passes."""

import pytest
from attrs import evolve

from coc_check.fuzz import Case, Cut, reproduce
from coc_check.fuzz.case import WAYS, model_of, setting_of
from coc_check.fuzz.trial import Differs, try_case
from coc_check.plain import run_plainly
from coc_core.arithmetic import ArithmeticOracle, Inexact, Symbolic
from coc_core.domain import parse_problem
from coc_core.execution import Sequential
from tests.broken import faulty_executors
from tests.support.conformance import offering
from tests.support.for_each import for_each

SMALL, LARGE = "n=1 src=1 dst=3", "n=2 src=1 dst=3"
CASE = Case("sequential", "hanoi", "pda", "symbolic", (LARGE, SMALL))
ONE = evolve(CASE, problems=(LARGE,))
CALL = "CALL n=2 src=1 dst=3 aux=2"
FIRST = f"INSTR {CALL}"
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


RAISED, NOTIFIED = "what the executor raised", "what listeners were notified of"
MOVE = "'OUTPUT Move disk 1 from 1 to 2'"


@pytest.mark.slow
@for_each(
    ("executor", "changes", "what", "wanted", "found"),
    [
        ("losing", {}, RAISED, "nothing", "PluginError: the executor 'losing' did not yield machine 1"),
        ("losing", {"responses": {FIRST: (None,)}}, RAISED, "nothing", "PluginError: the executor 'los"),
        ("wasteful", {}, RAISED, "nothing", "PluginError: ScriptedPolicy 'scripted-policy' raised RuntimeError"),
        ("stubborn", {"used": True}, RAISED, "nothing", "ValueError: no"),
        ("stubborn", {"cuts": (Cut("error", 2),)}, RAISED, "nothing", "ValueError: no"),
        ("swallowing", {"cuts": (Cut("error", 1),)}, RAISED, "what was raised", "nothing"),
        ("swallowing", {"cuts": (Cut("listener", 1),)}, RAISED, "what was raised", "nothing"),
        ("swallowing", {"cuts": (Cut("model", 2),)}, RAISED, "", ""),
        ("unlimited", {"most_steps": 1}, NOTIFIED, "nothing", MOVE),
        ("silent", {}, NOTIFIED, MOVE, "nothing"),
        ("remembering", {"responses": {FIRST: ("no",)}, "used": True}, NOTIFIED, "nothing", "'PUSH CALL"),
        ("remembering", {"responses": {FIRST: (f"PUSH {CALL}", "no")}}, NOTIFIED, "nothing", "'PUSH CALL n=2"),
    ],
)
def test_a_fault_is_told(executor, changes, what, wanted, found):
    case = evolve(ONE, executor=executor, **changes)
    difference = try_case(REGISTRY, case)
    assert difference.what == what
    assert difference.wanted.startswith(wanted)
    assert difference.found.startswith(found)
    with pytest.raises(Differs, match=f"{executor} is not Algorithm 1 at step {difference.step}: {what}"):
        reproduce(REGISTRY, case)
    reproduce(REGISTRY, evolve(case, executor="sequential"))


@pytest.mark.slow
@for_each("executor", ["sequential", "cached", "lockstep", "speculative"])
@for_each("way", WAYS)
def test_every_cut_heals(executor, way):
    for arith in ("symbolic", "learned"):
        for cuts in ([1], [2, 3, 30]):
            case = evolve(CASE, executor=executor, memory="tape", arith=arith)
            assert try_case(REGISTRY, evolve(case, cuts=tuple(Cut(way, at) for at in cuts))) is None


def test_small_limits_change_nothing():
    for executor, sizes in (
        ("lockstep", {"max_machines": 2, "cache_bytes": 1}),
        ("speculative", {"max_draft": 1, "cache_bytes": 700}),
        ("summary", {"max_machines": 1, "max_prompts": 1, "max_values": 1}),
        ("vote", {"cache_bytes": 1}),
    ):
        for silent, responses in ((False, {}), (True, {}), (False, {FIRST: (f"PUSH {CALL}",)})):
            case = evolve(CASE, executor=executor, count=9, silent=silent, sizes=sizes, responses=responses)
            assert try_case(REGISTRY, case) is None


def test_a_run_that_is_asked_to_stop_is_the_beginning_of_the_whole_run():
    setting = setting_of(REGISTRY, CASE)
    problem = parse_problem(setting.domain, CASE.problems[0])
    limited = setting_of(REGISTRY, evolve(CASE, most_steps=2))
    runs = [run_plainly(setting, problem, stop=stop) for stop in (None, 4, 5, 3)]
    runs += [run_plainly(limited, problem, stop=stop) for stop in (None, 2)]
    endings = ["solved", "solved", "solved", "interrupted", "fault", "interrupted"]
    assert [run.outcome.status for run in runs] == endings
    assert [len(run.steps) for run in runs] == [4, 4, 4, 3, 2, 2]
    assert runs[3].state == runs[0].steps[2].after


def test_a_voting_model_is_wrong_about_a_minority():
    case = evolve(CASE, executor="vote", votes=True, responses={"INSTR CALL n=1 src=1 dst=3 aux=2": (None,)})
    setting = setting_of(REGISTRY, case)
    model, right = model_of(setting, case), setting.convention.target_for(FIRST)
    assert model.sample([FIRST] * 5, range(5)) == [right] * 3 + [right[:-1], right]
    (fault,) = model.sample(["INSTR CALL n=1 src=1 dst=3 aux=2"], [0])
    assert fault.kind == "numeric"
    assert model.calls == model.written == 6
    assert try_case(REGISTRY, case) is None
    for votes in (True, False):  # only an executor that takes votes may refuse a model
        assert (try_case(REGISTRY, evolve(CASE, executor="picky", votes=votes)) is None) == votes


class Wrong(ArithmeticOracle):
    """Adds one, and knows that it is wrong."""

    name = "wrong"
    notation = "symbolic"

    def _resolve(self, expressions, registers):
        return Inexact.of((number + 1 for number in Symbolic().resolve(expressions, registers)), "one too many")


def test_a_number_that_is_wrong_is_blamed_for_the_address():
    setting = evolve(setting_of(REGISTRY, evolve(ONE, memory="tape")), arithmetic=Wrong())
    problem = parse_problem(setting.domain, ONE.problems[0])
    outcome = run_plainly(setting, problem).outcome
    (other,) = Sequential().run([setting.machine(problem)], setting.model("reference"))
    assert outcome == evolve(other, model_calls=0, seconds=0.0)
    assert outcome.fault.kind == "arithmetic"


@pytest.mark.no_cover
def test_an_executor_that_comes_to_no_end_is_stopped():
    found = try_case(REGISTRY, evolve(CASE, executor="spinning"))
    assert (found.what, found.found) == ("what the executor raised", "RuntimeError: the executor comes to no end")
