"""The model card: what a checkpoint is, what it was trained on, and what it predicts exactly."""

import re
from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any, NamedTuple

import torch
from attrs import frozen

from coc_core.models import Identity
from coc_learn.addresses.dialect import ADDRESS_DIALECT, results_of
from coc_learn.division import DividedSet
from coc_learn.trainer import TrainingJob, TrainingReport
from coc_transformer.files import ModelConfig
from coc_transformer.training.hyperparameters import Hyperparameters
from coc_transformer.training.job import InitialCheckpoint
from coc_transformer.training.measure import Measurement
from coc_transformer.training.task import interchangeable_names

_TOKENS = {
    "merged": "digits merged like any other characters",
    "digits": "with one for each digit",
    "exact": "with one for each name and each digit; the digits of a number are read from the units on",
    "binary": "with one for each name and each digit; numbers are written in binary, and read from the units on",
    "brackets": "with one for each name, digit and bracket; numbers are written in binary, and read from the units on",
}
_LOSSES = {"target": "the tokens of the target", "all": "all tokens, including those of the prompt"}


@frozen
class DialectResult:
    """The measurements of one dialect; `train_sha256` and `heldout_sha256` are the fingerprints of its pairs."""

    pairs: DividedSet
    train: Measurement
    heldout: Measurement
    train_sha256: str
    heldout_sha256: str

    @property
    def dialect(self) -> str:
        """The dialect."""
        return self.pairs.training_set.dialect


class Trained(NamedTuple):
    """What a training has made.

    Attributes:
        identity: What the new checkpoint is.
        model: What its network is made from.
        training: How it was trained.
        total: The measurements of all dialects together.
        results: The measurements of each dialect that was trained.
    """

    identity: Identity
    model: Any
    training: Hyperparameters
    total: TrainingReport
    results: Sequence[DialectResult]


def card(
    job: TrainingJob,
    trained: Trained,
    hardware: str,
    file_sizes: Mapping[str, int],
    initial: InitialCheckpoint | None,
) -> str:
    """The model card in Markdown.

    It includes the whole card of the checkpoint that the training was initialised from, and so all earlier cards.

    Args:
        job: The job.
        trained: What it has made.
        hardware: What the training ran on.
        file_sizes: The sizes of the checkpoint's files in bytes, by name.
        initial: The checkpoint that the training was initialised from.
    """
    identity, model, training, total, results = trained
    margin = min(half.margin for result in results for half in (result.train, result.heldout))
    heldout = sum(len(each.heldout) for each in job.training_sets)
    pairs = sum(len(each.train) for each in job.training_sets) + heldout
    kind = "decoder-only transformer" if training.architecture is None else f"network `{training.architecture.name}`"
    return f"""# A {kind.removeprefix("decoder-only ")} for {", ".join(result.dialect for result in results)}

A {kind} that reads one prompt {_dialects(len(results))} and writes its target by greedy decoding.
{_others(results, initial)}It was trained by

    {job.command or "(a program, not the command line)"}

with seed {training.seed} and the preset `{job.preset}`{_overrides(job.overrides)}.

| | |
|---|---|
| training pairs predicted exactly | {total.train_exact:,} of {total.train_pairs:,} |
| held-out pairs, new up to names and notation, predicted exactly | {total.heldout_exact:,} of {total.heldout_pairs:,} |
| smallest logit margin of a token in an exact target over the next best token | {margin:.2f} |
| sizes it was trained on | {_sizes(identity)} |
| sizes it was tested on | {_tests(identity)} |
| parameters | {total.parameters:,}: {_shape(training, model)} |
| context | {model.max_len:,} tokens for prompt and target together |
| vocabulary | {model.vocab:,} tokens, {_TOKENS[training.tokens]} |
{_drawn(job, training)}| files | {", ".join(f"{name} {size:,} bytes" for name, size in file_sizes.items())} |
| training | {total.steps:,} steps of {training.batch_size:,} pairs in {total.seconds:,.0f} s |
| loss | cross-entropy of {_LOSSES[training.loss]} |
| share of each batch stratified by sampling buckets | {training.bucket_share:.0%} |
| optimiser | {training.optimizer}, peak learning rate {training.lr} |
| initial weights | {_initial(initial)} |
| saved weights | {_saved(training)} |
| environment | torch {torch.__version__}, {hardware} |

{_data(pairs, heldout, training, total)}

{"".join(_section(result) for result in results)}{_before(initial)}"""


def _shape(training: Hyperparameters, model: Any) -> str:
    """What the network is, and for the decoder how it encodes positions."""
    if training.architecture is not None:
        values = ", ".join(f"{name} {value}" for name, value in model.stated().items())
        code = training.architecture.sha256
        return f"{values or 'no hyperparameters'} |\n| network's code | {f'SHA-256 {code}' if code else 'in no file'}"
    heads = f"{model.heads} heads of {model.head_width:,}"
    shape = f"d_model {model.d_model:,}, {model.layers} layers, {heads}, d_ff {model.d_ff:,}"
    return f"{shape} |\n| position encoding | {_positions(model)}"


def _dialects(count: int) -> str:
    return "in this dialect" if count == 1 else f"in one of these {count} dialects"


def _others(results: Sequence[DialectResult], initial: InitialCheckpoint | None) -> str:
    """A sentence about the dialects of an earlier training that were not trained again."""
    trained = {result.dialect for result in results}
    others = [dialect for dialect in initial.identity.dialects if dialect not in trained] if initial else []
    if not others:
        return ""
    return f"It was trained on {', '.join(others)} before; how much of that it has retained was not measured.\n"


def _sizes(identity: Identity) -> str:
    """The sizes of each dialect for which they are known."""
    known = [(dialect, identity.sizes[dialect]) for dialect in identity.dialects if dialect in identity.sizes]
    return "; ".join(f"`{dialect}`: {_span(dialect, sizes)}" for dialect, sizes in known) or "unknown"


def _tests(identity: Identity) -> str:
    """What the tests after the training found, by dialect."""
    each = [f"`{dialect}`: {results_of(dialect, results)}" for dialect, results in identity.tested.items()]
    return "; ".join(each) or "none"


def _drawn(job: TrainingJob, training: Hyperparameters) -> str:
    """The rows about names, positions and scales that were drawn in training."""
    rows = ""
    if training.name_permutation:
        names = ", ".join(f"{letters}1, {letters}2, …" for letters in sorted(interchangeable_names(job.training_sets)))
        pool = f", from a pool of {training.name_pool:,} of each kind" if training.name_pool else ""
        share = f"{training.name_permutation:.0%} of the training sequences"
        rows += f"| names in training | {names}: interchangeable, and permuted in {share}{pool} |\n"
    if training.digit_positions:
        rows += f"| digits in training | at random ascending positions from 1 to {training.digit_positions} |\n"
    scores = []
    if training.min_score_scale < 1:
        scores.append(f"times random numbers from {training.min_score_scale} to 1")
    if training.score_noise:
        scores.append(f"plus noise of a standard deviation of up to {training.score_noise}")
    if scores:
        rows += f"| attention scores in training | {', '.join(scores)} |\n"
    return rows


def _span(dialect: str, sizes: range) -> str:
    unit = "addresses " if dialect == ADDRESS_DIALECT else ""
    return f"{unit}{sizes[0]:,} to {sizes[-1]:,}" if len(sizes) > 1 else f"{unit}{sizes[0]:,}"


def _section(result: DialectResult) -> str:
    pairs, of = result.pairs, result.pairs.training_set
    source = f": {of.source}" if of.source else ""
    lines = [
        f"training: {_line(result.train, result.train_sha256)}",
        f"held out: {_line(result.heldout, result.heldout_sha256)}",
    ]
    if pairs.known:
        lines.append(f"drawn to be held out, but not counted, since the steps are known: {pairs.known:,}")
    if tested := {pair.prompt for test in of.tests for pair in test.pairs}:
        learned = len(tested.intersection(pair.prompt for pair in of.train))
        lines.append(f"tested on other sizes: {len(tested):,} distinct prompts, {learned:,} of them in the training")
    return "".join([f"- `{of.dialect}`{source}\n", *(f"  - {line}\n" for line in lines)])


def _data(pairs: int, heldout: int, training: Hyperparameters, total: TrainingReport) -> str:
    """What is said of the pairs and of their measurement."""
    measured = "all pairs were"
    if training.final_pairs:
        most = f"{training.final_pairs:,}"
        measured = f"up to {most} training pairs and {most} held-out pairs of each dialect, drawn by the seed, were"
    seen = _held_out(heldout, total)
    text = (
        f"**Data.** {pairs:,} pairs of prompt and target. {seen} After the training, {measured} compared with the"
        " model's predictions. A pair is exact if every token of its target, up to and including [EOS], is the most"
        " likely one at its position, which is the one that greedy decoding chooses. The SHA-256 sums are those of the"
        " training pairs and of the held-out pairs of each dialect, in order, each as one compact JSON list of"
        " [prompt, target]."
    )
    return fill(text, 120)


def _held_out(heldout: int, total: TrainingReport) -> str:
    """A sentence about who has seen the held-out pairs."""
    if not total.complete:
        return "No pairs count as held out: those drawn for it may have been learned by the trainings before this one."
    if not heldout:
        return "No pairs are held out."
    return (
        "The held-out pairs are new up to names and notation: no training pair has the same step in any dialect"
        " or with any names. Only where both prompts show registers do other values of these make a pair new."
    )


def _line(half: Measurement, sha256: str) -> str:
    return f"{half.exact:,} of {half.pairs:,} exact, `{sha256}`"


def _initial(initial: InitialCheckpoint | None) -> str:
    if initial is None:
        return "drawn by the seed"
    return f"those of the checkpoint {initial.name}, SHA-256 {initial.fingerprint}"


def _saved(training: Hyperparameters) -> str:
    if not training.ema:
        return "those of the last step"
    return f"an exponential moving average with decay {training.ema}"


def _before(initial: InitialCheckpoint | None) -> str:
    """The card of the checkpoint that the training was initialised from, which includes those before it as sections."""
    if initial is None:
        return ""
    lower = re.sub("^# ", "### ", initial.card, flags=re.MULTILINE)
    return f"\n## The checkpoint {initial.name}, from which it was initialised\n\n{lower}"


def _positions(model: ModelConfig) -> str:
    """How the position of a token is encoded."""
    preceding = "token" if model.token_shift == 1 else f"{model.token_shift} tokens"
    shift = f", token shift over the preceding {preceding}" if model.token_shift else ""
    rotary = f", rotary position in a list in {model.rotary} planes of each head" if model.rotary else ""
    local = "" if model.prompt_attention else ", only the tokens of a target attend to others"
    lists = "" if model.list_attention else ", items of a target's list don't attend to each other"
    scaled = ", attention sharper with length" if model.log_scaling else ""
    return f"{model.positions}{shift}{rotary}{local}{lists}{scaled}"


def _overrides(overrides: Mapping[str, str]) -> str:
    if not overrides:
        return ""
    return " except that " + ", ".join(f"`{name}={value}`" for name, value in overrides.items())
