"""The model card: what a checkpoint is, what it was trained on, and what it predicts exactly."""

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any

import torch
from attrs import frozen

from coc_core.models import Identity, SizeResult
from coc_learn.addresses.dialect import ADDRESS_DIALECT, results_of
from coc_learn.trainer import TrainingJob, TrainingReport, TrainingSet
from coc_transformer.files import snapshot
from coc_transformer.training.hyperparameters import Hyperparameters
from coc_transformer.training.loop import Measurement


@frozen
class DialectResult:
    """What is known of one dialect: measurements of the training pairs and of those held out, their fingerprints, and
    the results of its tests.
    """

    pairs: TrainingSet
    halves: tuple[Measurement, Measurement]
    sums: tuple[str, str]
    tests: Sequence[SizeResult]


@frozen
class Trained:
    """What a training has made: what the checkpoint is, what its network is made from, how and on what it was trained,
    the measurements of each dialect that was trained, and whose weights it began with, empty for new ones.
    """

    identity: Identity
    model: Any
    training: Hyperparameters
    hardware: str
    progress: snapshot.Progress
    results: Sequence[DialectResult]
    origin: str = ""

    def report(self) -> TrainingReport:
        """Return the measurements of all dialects together."""
        halves = zip(*(result.halves for result in self.results), strict=True)
        train, heldout = ((sum(each.exact for each in half), sum(each.pairs for each in half)) for half in halves)
        return TrainingReport(
            self.model.parameters(),
            self.progress.step,
            self.progress.seconds,
            *train,
            *heldout,
            known=sum(each.pairs.known for each in self.results),
            complete=not self.origin,
            tested=self.identity.tested,
        )


def card(job: TrainingJob, trained: Trained) -> str:
    """Return the model card in Markdown."""
    identity, model, training, total = trained.identity, trained.model, trained.training, trained.report()
    dialects = [each.dialect for each in job.training_sets]
    margin = min(half.margin for result in trained.results for half in result.halves)
    if training.architecture is None:
        network = "transformer"
        shape = f"d_model {model.d_model:,}, {model.layers} layers, {model.heads} heads, d_ff {model.d_ff:,}"
    else:
        network, code = f"network `{training.architecture.name}`", training.architecture.sha256
        shape = f"{_values(model.stated()) or 'no hyperparameters'} |\n| network's code"
        shape += f" | {f'SHA-256 {code}' if code else 'in no file'}"
    spoken = "in this dialect" if len(dialects) == 1 else f"in one of these {len(dialects)} dialects"
    overrides = ", ".join(f"`{name}={value}`" for name, value in job.overrides.items())
    others = [each for each in identity.dialects if each not in dialects]
    tests = [f"`{each}`: {results_of(each, results)}" for each, results in identity.tested.items()]
    before = f"It was trained on {', '.join(others)} before; how much of that it has retained was not measured.\n"
    return f"""# A {network} for {", ".join(dialects)}

A {network} that reads one prompt {spoken} and writes its target by greedy decoding.
{before if others else ""}It was trained by

    {job.command or "(a program, not the command line)"}

with seed {training.seed} and the preset `{job.preset}`{overrides and f" except that {overrides}"}.

| | |
|---|---|
| training pairs predicted exactly | {total.train_exact:,} of {total.train_pairs:,} |
| held-out pairs, new up to names and notation, predicted exactly | {total.heldout_exact:,} of {total.heldout_pairs:,} |
| smallest logit margin of a token in an exact target over the next best token | {margin:.2f} |
| sizes it was trained on | {_sizes(identity)} |
| sizes it was tested on | {"; ".join(tests) or "none"} |
| parameters | {total.parameters:,}: {shape} |
| context | {model.max_len:,} tokens for prompt and target together |
| vocabulary | {model.vocab:,} tokens |
| hyperparameters | {_values(training.stated())} |
| training | {total.steps:,} steps of {training.batch_size:,} pairs in {total.seconds:,.0f} s |
| initial weights | {trained.origin or "drawn by the seed"} |
| environment | torch {torch.__version__}, {trained.hardware} |

{_data(sum(len(each.train) + len(each.heldout) for each in job.training_sets), training, total)}

{"".join(map(_section, trained.results))}"""


def _values(by_name: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in by_name.items())


def _sizes(identity: Identity) -> str:
    """Return the sizes of each dialect for which they are known."""
    known = []
    for dialect, sizes in ((each, identity.sizes[each]) for each in identity.dialects if each in identity.sizes):
        unit = "addresses " if dialect == ADDRESS_DIALECT else ""
        known.append(f"`{dialect}`: {unit}{sizes[0]:,}{f' to {sizes[-1]:,}' if len(sizes) > 1 else ''}")
    return "; ".join(known) or "unknown"


def _section(result: DialectResult) -> str:
    """Return the lines about a dialect."""
    of = result.pairs
    halves = zip(("training", "held out"), result.halves, result.sums, strict=True)
    lines = [f"{name}: {half.exact:,} of {half.pairs:,} exact, `{sha256}`" for name, half, sha256 in halves]
    if of.known:
        lines.append(f"drawn to be held out, but not counted, since the steps are known: {of.known:,}")
    if tested := {pair.prompt for test in of.tests for pair in test.pairs}:
        learned = len(tested.intersection(pair.prompt for pair in of.train))
        lines.append(f"tested on other sizes: {len(tested):,} distinct prompts, {learned:,} of them in the training")
    return "".join([f"- `{of.dialect}`{of.source and f': {of.source}'}\n", *(f"  - {line}\n" for line in lines)])


def _data(pairs: int, training: Hyperparameters, total: TrainingReport) -> str:
    """Return what is said of the pairs, of who has seen the held-out ones, and of their measurement."""
    most = training.final_pairs
    seen = "No pairs are held out."
    if not total.complete:
        seen = "No pairs count as held out: those drawn for it may have been learned by the trainings before this one."
    elif total.heldout_pairs:
        seen = (
            "The held-out pairs are new up to names and notation: no training pair has the same step in any dialect"
            " or with any names. Only where both prompts show registers do other values of these make a pair new."
        )
    return fill(
        f"**Data.** {pairs:,} pairs of prompt and target. {seen} After the training, all of them,"
        f"{f' or {most:,} of each half and dialect,' if most else ''} were compared with the model's predictions. A"
        " pair is exact if every token of its target, up to and including [EOS], is the most likely one at its"
        " position, which greedy decoding chooses. The SHA-256 sums are those of the training pairs and of the"
        " held-out pairs of each dialect, in order, each as one compact JSON list of [prompt, target].",
        120,
    )
