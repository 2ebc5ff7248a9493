"""Votes: as often right as the formula says, with what no machine would take dropped before it counts."""

from math import log

import numpy as np
import pytest
from attrs import asdict
from hypothesis import given, strategies as st

from coc_core.arithmetic import Symbolic
from coc_core.errors import ArithmeticFault, ArtefactError, LimitFault, PluginError, UsageError
from coc_core.execution import Cached
from coc_core.memories import Reference
from coc_llm.vote import (
    MOST_LEAD,
    Vote,
    VoteOptions,
    Votes,
    configured,
    decision_rate,
    describe,
    expected_votes,
    finish_rate,
    highest_error,
    least_lead,
    votes_of,
)
from coc_puzzles.hanoi.instructions import Tower
from tests.support.for_each import for_each
from tests.support.machines import convention, machine
from tests.support.noisy_model import Noisy, Whimsical, garbage, numeric
from tests.support.toy_parts import Line, Queue


def vote(**options):
    return Vote(VoteOptions(**options))


def run(model, executor, n=3, **where):
    """The outcome of a run, and its votes."""
    (outcome,) = executor.run([machine(problem=Tower(n), **where)], model)
    return outcome, votes_of(outcome.report)


# ── how often it is right ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
@pytest.mark.no_cover
@pytest.mark.parametrize("error", [0.1, 0.01, 0.001])
def test_k_is_chosen_so_that_nearly_all_runs_finish(error):
    runs, solved, leads = 60, 0, set()
    for salt in range(runs):
        outcome, votes = run(Noisy(convention(), error, 0.1, salt=salt), vote(finish=0.95))
        solved += outcome.status == "solved"
        leads.add(votes.k)
        assert votes.error >= error / 3
        assert votes.predicted >= 0.95
    assert solved >= 0.95 * runs
    assert max(leads) <= {0.1: 5, 0.01: 3, 0.001: 2}[error]


# ── what counts ───────────────────────────────────────────────────────────────────────────────────────────────────────


@for_each("useless", [garbage, numeric])
@for_each(("memory", "arith"), [("pda", "symbolic"), ("tape", "inline"), ("tape", "symbolic")])
def test_what_no_machine_would_take_is_dropped(useless, memory, arith):
    model = Noisy(convention(memory, arith), 0, 0.6, useless=useless)
    outcome, votes = run(model, vote(k=1), memory=memory, arith=arith)
    assert outcome.status == "solved"
    assert votes.dropped > votes.decisions / 2
    assert (votes.against, votes.error, votes.expected, votes.predicted, votes.achieved) == (0, None, None, None, 1)


def test_an_illegal_action_is_dropped():
    legal, illegal = "OUTPUT Move disk 1 from 1 to 3", "OUTPUT Move disk 1 from 2 to 3"
    _, votes = run(Noisy(convention(), 0.5, wrong=lambda *_: illegal), vote(k=3), n=1)
    assert (votes.against, votes.decisions) == (0, 1)
    assert votes.dropped > 0
    model = Whimsical(Noisy(convention(), 0))
    model.noisy.respond = lambda prompt, seed: legal if seed > 4 else illegal
    outcome, votes = run(model, vote(k=2, most=10), n=1)
    assert (outcome.status, votes.responses, votes.dropped) == ("solved", 7, 5)


def test_no_more_responses_are_drawn_than_are_needed():
    model = Noisy(convention(), 0.2)
    _, votes = run(model, vote(k=3))
    assert sum(map(len, model.batches)) == votes.responses == model.calls
    assert max(map(len, model.batches)) == 3
    assert all(len(set(batch)) == 1 for batch in model.batches)


def test_a_prompt_is_decided_once_for_all_runs():
    model, executor = Noisy(convention(), 0.2), vote(k=3)
    outcomes = executor.run([machine(problem=Tower(3)) for _ in range(3)], model)
    assert {outcome.status for outcome in outcomes} == {"solved"}
    (cached,) = Cached().run([machine(problem=Tower(3))], Reference(convention()))
    assert {votes_of(outcome.report).decisions for outcome in outcomes} == {cached.model_calls}


def test_a_decision_that_ends_a_run_with_a_fault_does_not_hold():
    class Lost(Symbolic):
        def _resolve(self, expressions, registers):
            raise ArithmeticFault("lost")

    machines, executor = [machine("tape") for _ in range(3)], vote(k=1)
    for subject in machines:
        subject.arithmetic = Lost()
    outcomes = executor.run(machines, Noisy(convention("tape")))
    assert {(outcome.fault.kind, votes_of(outcome.report).decisions) for outcome in outcomes} == {("arithmetic", 3)}


def test_a_run_that_a_wrong_decision_sends_in_circles_ends():
    outcome, _ = run(Noisy(convention(), 1), vote(k=1))
    assert outcome.fault.kind == "loop"


def test_a_full_cache_decides_again_and_finds_no_loops(monkeypatch):
    executor = vote(k=1)
    monkeypatch.setattr(executor, "cache_bytes", 0)
    outcome, votes = run(Noisy(convention()), executor)
    assert (outcome.status, votes.decisions) == ("solved", outcome.steps)


# ── if nothing wins ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_if_nothing_counts_the_run_ends_with_the_fault_of_the_last_response():
    outcome, votes = run(Noisy(convention(), 0, 1, useless=lambda *_: "I'm sorry."), vote(k=2, most=5))
    assert (outcome.fault.kind, outcome.fault.text, outcome.fault.step) == ("protocol", "I'm sorry.", 1)
    assert (votes.responses, votes.dropped, votes.achieved) == (5, 5, 1)
    outcome, votes = run(Noisy(convention(), 0, 1, useless=numeric), vote(k=2, most=5))
    assert (outcome.fault.kind, votes.responses) == ("numeric", 5)


def test_if_nothing_leads_the_run_ends_with_a_limit():
    model = Whimsical(Noisy(convention()))
    texts = ["PUSH CALL n=1 src=1 dst=3 aux=2", "PUSH CALL n=2 src=1 dst=3 aux=2"]
    model.noisy.respond = lambda prompt, seed: texts[seed % 2]
    outcome, _ = run(model, vote(k=3, most=8))
    assert outcome.fault.kind == LimitFault.kind
    assert outcome.fault.message == "of 8 responses, none leads by 3"
    assert outcome.fault.text in texts


@for_each(("most", "status"), [(4, "fault"), (5, "solved")])
def test_a_leader_that_is_one_vote_short_has_not_won(most, status):
    model = Whimsical(Noisy(convention()))
    another = "PUSH CALL n=1 src=1 dst=3 aux=2"
    model.noisy.respond = lambda prompt, seed: another if seed == 1 else "OUTPUT Move disk 1 from 1 to 3"
    outcome, votes = run(model, vote(k=3, most=most), n=1)
    assert (outcome.status, votes.responses, votes.against) == (status, most, 1)


# ── the models ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_deterministic_model_gets_one_vote():
    outcome, votes = run(Reference(convention()), vote(k=5))
    assert (outcome.status, votes.k, votes.pilot, votes.error) == ("solved", 1, 0, None)
    assert votes.responses == votes.decisions == outcome.model_calls


def test_a_model_that_raises_is_named():
    model = Noisy(convention())
    model._sample = lambda *_: 1 / 0
    with pytest.raises(PluginError, match=r"'noisy' raised ZeroDivisionError in .*sample at step 1"):
        run(model, vote(k=1))


def test_runs_are_repeated_by_the_seed():
    outcomes = [run(Noisy(convention(), 0.2), vote(k=3, seed=seed))[1] for seed in (1, 1, 2)]
    assert outcomes[0] == outcomes[1] != outcomes[2]


# ── choosing k ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_k_depends_on_the_number_of_decisions_and_the_probability():
    def lead(**options):
        return run(Noisy(convention()), vote(error=0.1, **options))[1].k

    assert lead(decisions=1, finish=0.9) == 1
    assert lead(decisions=1_000) == 6
    assert lead(decisions=1_000_000) == 9
    assert lead(decisions=1_000_000, finish=0.999) == 10
    assert lead() == lead(decisions=10) == 4


def test_a_run_of_unknown_length_counts_as_a_million_decisions(monkeypatch):
    monkeypatch.setattr(Queue, "expect", lambda *_: None)
    domain = Queue()
    model = Noisy(convention(domain=domain))
    (outcome,) = vote(error=0.1).run([machine(problem=Line((2, 1)), domain=domain)], model)
    assert (outcome.status, votes_of(outcome.report).k) == ("solved", 9)


def test_a_model_that_is_mostly_wrong_is_refused():
    for model in (Noisy(convention(), 0.7), Noisy(convention(), 0, 1)):
        with pytest.raises(UsageError, match="so no vote is sure enough; choose another model, or state k yourself"):
            run(model, vote())


def test_no_error_rate_is_measured_where_the_policy_has_no_target(monkeypatch):
    subject = machine(problem=Tower(2))
    monkeypatch.setattr(subject.convention, "target_for", lambda prompt: 1 / 0)
    with pytest.raises(UsageError, match=r"the policy has no target here, .*; state k: --executor vote:k=3"):
        vote().run([subject], Noisy(convention()))


def test_what_is_no_target_counts_for_no_error_rate():
    _, votes = run(Noisy(convention(), 0, 0.5), vote())
    assert 1 - 0.05 ** (1 / votes.pilot) < votes.error < 3 * (1 - 0.05 ** (1 / votes.pilot))


def test_options_are_read_from_a_text():
    assert configured("")._options == VoteOptions()
    assert configured("k=3,most=9,seed=7")._options == VoteOptions(k=3, most=9, seed=7)
    assert configured("finish=0.999,decisions=100,error=0.01")._options == VoteOptions(None, 0.999, 100, 0.01)
    with pytest.raises(UsageError, match="the executor vote has no option 'lead'"):
        configured("lead=3")
    with pytest.raises(UsageError, match="no response can lead by k=3 after most=2 responses"):
        configured("k=3,most=2")


ERRORS = st.floats(0.001, 0.499)


def walk(error, lead):
    """The probability that the right response leads by k, and the mean number of votes, from the equations."""
    inner = 2 * lead - 1
    matrix, right, one = np.eye(inner), np.zeros(inner), np.ones(inner)
    for place in range(inner):
        if place > 0:
            matrix[place, place - 1] -= error
        if place < inner - 1:
            matrix[place, place + 1] -= 1 - error
    right[-1] = 1 - error
    return np.linalg.solve(matrix, right)[lead - 1], np.linalg.solve(matrix, one)[lead - 1]


@given(ERRORS, st.integers(1, 12))
def test_the_formulas_are_those_of_the_walk(error, lead):
    rate, votes = walk(error, lead)
    assert decision_rate(error, lead) == pytest.approx(rate, rel=1e-6)
    assert expected_votes(error, lead) == pytest.approx(votes, rel=1e-5)


def test_the_ends():
    assert (decision_rate(0, 3), decision_rate(1, 3), decision_rate(0.5, 3)) == (1, 0, 0.5)
    assert expected_votes(0.5, 3) == pytest.approx(walk(0.5, 3)[1]) == pytest.approx(9)
    assert expected_votes(0, 3) == 3
    assert decision_rate(1 - 1e-12, 100) < 1e-300
    assert finish_rate(0.1, 2, 3) == pytest.approx((81 / 82) ** 3)
    assert least_lead(0, 0.999, 10**12) == 1


@given(ERRORS, st.floats(0.5, 0.999999), st.integers(1, 10**9))
def test_the_least_k_is_enough_and_one_less_is_not(error, finish, decisions):
    try:
        lead = least_lead(error, finish, decisions)
    except UsageError:
        assert error > 0.3
        return
    assert finish_rate(error, lead, decisions) >= finish - 1e-6
    assert lead == 1 or finish_rate(error, lead - 1, decisions) < finish + 1e-6


def test_the_largest_k_is_chosen_where_it_is_needed():
    decisions = 1
    while (lead := least_lead(0.4, 0.99, decisions)) < MOST_LEAD:
        decisions += decisions // 5 + 1
    assert lead == MOST_LEAD
    with pytest.raises(UsageError, match="no vote is sure enough"):
        least_lead(0.4, 0.99, 2 * decisions)


@pytest.mark.parametrize("count", [1, 10, 256])
def test_the_highest_error_after_no_error(count):
    assert highest_error(0, count) == pytest.approx(1 - 0.05 ** (1 / count))
    assert highest_error(count, count) == 1
    assert log(1 - highest_error(0, count)) == pytest.approx(log(0.05) / count)


def test_the_highest_error_covers_the_true_one_in_nineteen_of_twenty_samples():
    rng = np.random.default_rng(1)
    wrong = rng.binomial(256, 0.03, 4000)
    covered = np.mean([highest_error(int(each), 256) >= 0.03 for each in wrong])
    assert 0.945 <= covered <= 0.99


VOTES = asdict(Votes(2, 1_000, 2_500, 100, 30, 256, 0.0625, 2_300.5, 0.75, 0.5))


def test_what_was_drawn_measured_and_predicted():
    assert describe({"votes": VOTES}) == (
        "first to lead by 2: 2,500 responses for 1,000 decisions, 100 dropped, 30 outvoted; error rate measured by 256"
        " more, at most 0.0625; probability that all are right: 0.7500 predicted, 0.5000 from the votes"
    )


@for_each(
    "changes",
    [
        {"more": 1},
        {"k": 1.5},
        {"k": None},
        {"achieved": None},
        {"error": None},
        {"predicted": 1.01},
        {"achieved": 1.01},
        {"error": 1.01},
        {"dropped": 2_471},
    ],
)
def test_votes_of_a_file_are_read_strictly(changes):
    with pytest.raises(ArtefactError, match="the votes of the run"):
        describe({"votes": VOTES | changes})
