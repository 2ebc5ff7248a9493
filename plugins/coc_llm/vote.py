"""The executor for models that are sometimes wrong: each step is decided by a vote of several responses.

A vote is a random walk. Each response that counts is right with probability 1 - e, and the walk ends when one response
leads the next by k. If all wrong responses agree, which is the worst case, this is the gambler's ruin: see Feller, *An
Introduction to Probability Theory and Its Applications*, volume 1, chapter XIV.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from math import ceil, comb, exp, expm1, log, log1p
from typing import Any

from attrs import asdict, define, frozen

from coc_core.errors import ArtefactError, LimitFault, ProtocolFault, StepFault, UsageError
from coc_core.execution import CACHE_BYTES, Executor, Machine, attributed_to, draft_steps
from coc_core.models import Model, Response, ResponseCache, Sampler, call_each
from coc_core.storage import read_document
from coc_core.text import Decimal, Whole, counted, read, setting
from coc_core.types import Fault

MOST_LEAD = 100
"""The largest k."""

_CONFIDENCE = 0.95
_LARGEST_EXPONENT = 700.0  # of what a float can hold


def decision_rate(error: float, lead: int) -> float:
    """Return the probability that a decision is right, 1 / (1 + (e / (1 - e)) ** k), if a response is wrong with e."""
    if error in (0, 1):
        return 1.0 - error
    return 1 / (1 + exp(min(_LARGEST_EXPONENT, lead * (log(error) - log1p(-error)))))


def finish_rate(error: float, lead: int, decisions: int) -> float:
    """Return the probability that all of so many decisions are right."""
    return decision_rate(error, lead) ** decisions


def expected_votes(error: float, lead: int) -> float:
    """Return the mean number of votes of a decision: k (2P - 1) / (1 - 2e), where P is its `decision_rate` and e the
    probability that a response is wrong, and k² for e = ½.
    """
    drift = 1 - 2 * error
    return lead**2 if abs(drift) < 1e-9 else lead * (2 * decision_rate(error, lead) - 1) / drift


def least_lead(error: float, finish: float, decisions: int) -> int:
    """Return the smallest k for which that many decisions are all right with the probability `finish`, below 1;
    UsageError if `error`, the probability that a response is wrong, is too large for any k up to `MOST_LEAD`.
    """
    if error == 0:
        return 1
    if error < 0.5:
        odds = expm1(-log(finish) / decisions)  # of a wrong decision to a right one, finish ** (-1 / decisions) - 1
        lead = max(1, ceil(log(odds) / (log(error) - log1p(-error)) - 1e-9))
        if lead <= MOST_LEAD:
            return lead
    raise UsageError(
        f"responses may be wrong at a rate of {error:.3f}, so no vote is sure enough",
        remedy="choose another model, or state k yourself: --executor vote:k=5",
    )


def highest_error(wrong: int, count: int) -> float:
    """Return the upper end of a one-sided 95% confidence interval for an error rate (Clopper and Pearson, 1934)."""
    if wrong >= count:
        return 1.0
    low, high = wrong / count, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        fewer = sum(comb(count, each) * middle**each * (1 - middle) ** (count - each) for each in range(wrong + 1))
        low, high = (middle, high) if fewer > 1 - _CONFIDENCE else (low, middle)
    return high


_PILOT_PROMPTS, _PILOT_RESPONSES, _LOOKAHEAD = 32, 256, 4096
_MANY = 1_000_000  # decisions of a run whose length is unknown


@frozen
class VoteOptions:
    """How votes are taken.

    Attributes:
        k: By how many votes a response has to lead. None for the smallest k that is enough for `finish`.
        finish: The probability with which all decisions are to be right.
        decisions: How many decisions these are; by default the steps of the run, if the domain has a formula.
        error: The probability that a response that counts is wrong; by default it is measured before the first step.
        most: The largest number of responses that are drawn for one decision.
        seed: Draws the responses of a model that can be seeded.
    """

    k: int | None = setting(Whole(1, MOST_LEAD), None)
    finish: float = setting(Decimal(0.5, 0.999999999), 0.99)
    decisions: int | None = setting(Whole(1, 10**12), None)
    error: float | None = setting(Decimal(0, 0.499), None)
    most: int = setting(Whole(1, 1_000_000), 1000)
    seed: int = setting(Whole(0, 10**12), 0)


NAME = "votes"
"""The name of the votes among what an executor reports."""


@define
class Votes:
    """What was voted on, in all runs of one call of an executor that takes votes.

    Attributes:
        k: By how many votes a response had to lead.
        decisions: How many prompts were decided.
        responses: How many responses were drawn for them.
        dropped: How many of these were dropped, because the machine would not have taken them.
        against: How many of the others lost the vote.
        pilot: How many responses were drawn beforehand, to measure the error rate.
        error: The error rate that k was chosen for, None if neither was it measured nor given.
        expected: The predicted number of responses that count; None without an `error`.
        predicted: The predicted probability that all decisions are right; None without an `error`.
        achieved: The same, with the share of votes that lost in place of `error`.
    """

    k: int = 1
    decisions: int = 0
    responses: int = 0
    dropped: int = 0
    against: int = 0
    pilot: int = 0
    error: float | None = None
    expected: float | None = None
    predicted: float | None = None
    achieved: float = 1.0

    def report(self) -> dict[str, dict[str, Any]]:
        """Return the votes and what they predict as plain data, for `Outcome.report`."""
        if self.error is not None:
            self.expected = self.decisions * expected_votes(self.error, self.k)
            self.predicted = finish_rate(self.error, self.k, self.decisions)
        lost = self.against / counting if (counting := self.responses - self.dropped) else 0.0
        self.achieved = finish_rate(lost, self.k, self.decisions)
        return {NAME: asdict(self)}


def describe(report: Mapping[str, Any]) -> str:
    """Return what was voted on, and what that says of the run, in a line; ArtefactError if a file's report is none."""
    votes = votes_of(report)
    drawn = f"{counted(votes.responses, 'response')} for {counted(votes.decisions, 'decision')}"
    parts = [f"first to lead by {votes.k}: {drawn}, {votes.dropped:,} dropped, {votes.against:,} outvoted"]
    if votes.error is not None:
        measured = f"measured by {votes.pilot:,} more, at most " if votes.pilot else ""
        parts.append(f"error rate {measured}{votes.error:.3g}")
    predicted = "" if votes.predicted is None else f"{votes.predicted:.4f} predicted, "
    parts.append(f"probability that all are right: {predicted}{votes.achieved:.4f} from the votes")
    return "; ".join(parts)


def votes_of(report: Mapping[str, Any]) -> Votes:
    """Return the votes that an outcome reports; ArtefactError if it is of a file, and malformed."""
    votes = read_document(Votes, report.get(NAME), "the votes of the run")
    stated = [votes.error, votes.expected, votes.predicted]
    shares = [votes.achieved, *([] if votes.error is None else [votes.error, votes.predicted])]
    if votes.dropped + votes.against > votes.responses or 0 < stated.count(None) < 3 or not all(map(_is_share, shares)):
        raise ArtefactError("the votes of the run are malformed")
    return votes


def _is_share(value: float | None) -> bool:
    return value is not None and 0 <= value <= 1


class Vote(Executor):
    """Draws responses to a prompt until one leads the next by k votes, and commits that one.

    A response that the machine would not take as its next step, because it is no target or an illegal action, is
    dropped before it counts. A prompt is decided once, and the decision holds wherever the prompt comes again, so that
    on a stack a million steps take a few hundred decisions. A deterministic model that can't be sampled gets one vote,
    since all would be equal.

    If k is not given, it is the smallest one with which all decisions are right with the stated probability. The error
    rate that this needs is measured before the first step: responses to the first prompts are compared with the
    policy's targets, and the upper end of a 95% confidence interval is taken. None of these targets is committed.
    """

    name = "vote"
    samples = True
    cache_bytes = CACHE_BYTES

    def __init__(self, options: VoteOptions = VoteOptions()) -> None:
        self._options = options
        self._votes: Votes | None = None

    @property
    def report(self) -> dict[str, dict[str, Any]]:  # type: ignore[override]
        return {} if self._votes is None else self._votes.report()

    def _run(self, machines: Iterable[Machine], model: Model) -> Iterator[Machine]:
        known: ResponseCache[str] = ResponseCache(self.cache_bytes)
        self._votes = votes = Votes()
        measured, certain = False, not _can_be_sampled(model)
        for machine in machines:
            # A decision holds as a response of a deterministic model does, for as long as it is known.
            machine.assume(deterministic=certain or known.complete)
            while (prompt := machine.run(known.get)) is not None:
                if not measured:
                    self._choose_lead(votes, machine, model)
                    measured = True
                decided = self._decide(votes, machine, model, prompt)
                if isinstance(decided, StepFault):
                    machine.fail(decided, prompt)
                else:
                    machine.step(decided)
                    if machine.fault is None:
                        known.add(prompt, decided)
                    machine.assume(deterministic=certain or known.complete)
            yield machine

    def _decide(self, votes: Votes, machine: Machine, model: Model, prompt: str) -> Response:
        """Return the response that leads by k; if none ever counts, the last one, or the fault that it is."""
        counts = Counter[str]()
        last: Response = ""
        drawn, most = 0, self._options.most if _can_be_sampled(model) else 1
        seed = _seed(self._options.seed, prompt)
        votes.decisions += 1
        while (missing := votes.k - _lead(counts)) > 0 and drawn < most:
            number = min(missing, most - drawn)
            for response in _draw(machine, model, [prompt] * number, range(seed + drawn, seed + drawn + number)):
                last = response
                if not isinstance(response, StepFault) and fault_in(machine, response) is None:
                    counts[response] += 1
            drawn += number
        votes.responses += drawn
        votes.dropped += drawn - counts.total()
        if not counts:
            return last
        ((leader, count),) = counts.most_common(1)
        votes.against += counts.total() - count
        if missing > 0:
            return LimitFault(f"of {drawn:,} responses, none leads by {votes.k}", text=leader)
        return leader

    def _choose_lead(self, votes: Votes, machine: Machine, model: Model) -> None:
        """Set k and the error rate that it is for."""
        options = self._options
        if not _can_be_sampled(model):
            return
        votes.error = options.error
        if options.k is None and votes.error is None:
            votes.error = self._measure(votes, machine, model)
        expected = machine.convention.expect(machine.problem)
        decisions = options.decisions or (expected.steps if expected else _MANY)
        votes.k = options.k or least_lead(votes.error or 0.0, options.finish, decisions)

    def _measure(self, votes: Votes, machine: Machine, model: Model) -> float:
        """Return the largest error rate that is plausible for the responses that count."""
        drafts = draft_steps(machine, _PILOT_PROMPTS, {}, _LOOKAHEAD)
        if not drafts:
            raise UsageError(
                "the policy has no target here, so no error rate can be measured",
                remedy="state k: --executor vote:k=3",
            )
        each = -(-_PILOT_RESPONSES // len(drafts))
        prompts = [prompt for prompt in drafts for _ in range(each)]
        seeds = [_seed(self._options.seed, f"pilot {prompt}") + number for prompt in drafts for number in range(each)]
        wrong = right = 0
        for prompt, response in zip(prompts, _draw(machine, model, prompts, seeds), strict=True):
            if response == drafts[prompt]:
                right += 1
            elif _is_target(machine, response):
                wrong += 1
        votes.pilot = len(prompts)
        return highest_error(wrong, right + wrong) if right + wrong else 1.0


def configured(text: str) -> Vote:
    """Return the executor for `vote:TEXT`, such as `vote:k=3`; UsageError if the options are malformed."""
    options = VoteOptions(**read(VoteOptions, text, "the executor vote"))
    if options.k is not None and options.k > options.most:
        raise UsageError(f"no response can lead by k={options.k} after most={options.most} responses")
    return Vote(options)


def fault_in(machine: Machine, text: str) -> Fault | None:
    """Return what would be wrong with a target for the machine's next prompt, with exact arithmetic, or None."""
    trial = machine.trial()
    trial.step(text)
    return trial.fault if trial.steps == machine.steps else None


def _can_be_sampled(model: Model) -> bool:
    return isinstance(model, Sampler) or not model.deterministic


def _draw(machine: Machine, model: Model, prompts: Sequence[str], seeds: Sequence[int]) -> list[Response]:
    if not isinstance(model, Sampler):
        return call_each(model, prompts, within=attributed_to(machine, model))
    with machine.attributing_errors(model):
        return model.sample(prompts, seeds)


def _is_target(machine: Machine, response: Response) -> bool:
    try:
        return not isinstance(response, StepFault) and bool(machine.convention.parse(response))
    except ProtocolFault:
        return False


def _lead(counts: Counter[str]) -> int:
    """Return by how many votes the first response leads the second."""
    (_, first), (_, second) = (*counts.most_common(2), ("", 0), ("", 0))[:2]
    return first - second


def _seed(seed: int, text: str) -> int:
    return int.from_bytes(blake2b(f"{seed} {text}".encode(), digest_size=6).digest())
