"""`coc train` with this backend: tokenizer, model, training, measurement, checkpoint."""

from collections.abc import Callable, Mapping, Sequence

from attrs import evolve

from coc_core.checkpoint import CONFIG
from coc_core.data import Pair
from coc_core.errors import UsageError
from coc_core.training import Trainer, TrainingJob, TrainingProgress, TrainingReport
from coc_transformer import checkpoint
from coc_transformer.backend import Transformer
from coc_transformer.card import card
from coc_transformer.data import tokenise
from coc_transformer.folder import check_replaceable
from coc_transformer.presets import PRESETS, choose
from coc_transformer.tokenizer import TextTokenizer
from coc_transformer.train import train

_MEASURED_AT_ONCE = 4_096  # prompts


class TransformerTrainer(Trainer):
    """Makes a checkpoint of this backend. Only the training pairs are seen by the tokenizer and the model."""

    def presets(self) -> Mapping[str, str]:
        return {name: preset.summary for name, preset in PRESETS.items()}

    def train(self, job: TrainingJob, report: Callable[[TrainingProgress], None]) -> TrainingReport:
        preset = choose(job.preset, {"seed": str(job.seed), **job.overrides})
        if not job.train:
            raise UsageError("there are no pairs to train on")
        check_replaceable(job.out, marker=CONFIG)  # now, not after minutes of training
        config = preset.training
        tokenizer = TextTokenizer.train(
            job.train, preset.model.vocab, config.min_frequency, single_digits=config.single_digits
        )
        model_config = evolve(preset.model, vocab=tokenizer.size)
        learned, heldout = (tokenise(pairs, tokenizer, model_config.max_len) for pairs in (job.train, job.heldout))
        trained = train(model_config, config, learned, heldout, report)
        model = Transformer(trained.model, tokenizer, job.out.name)
        result = TrainingReport(
            parameters=trained.model.parameter_count(),
            steps=trained.steps,
            seconds=trained.seconds,
            train_exact=_exact(model, job.train),
            train_pairs=len(job.train),
            heldout_exact=_exact(model, job.heldout),
            heldout_pairs=len(job.heldout),
        )
        files = checkpoint.contents(job.identity, trained.model, config, tokenizer)
        sizes = {name: len(data) for name, data in files.items()}
        checkpoint.save(job.out, files, card(job, model_config, config, result, model.margin, sizes))
        return result


def _exact(model: Transformer, pairs: Sequence[Pair]) -> int:
    """How many of the prompts the model answers with just the target's text."""
    right = 0
    for start in range(0, len(pairs), _MEASURED_AT_ONCE):
        some = pairs[start : start + _MEASURED_AT_ONCE]
        answers = model.complete([pair.prompt for pair in some])
        right += sum(answer == pair.target for answer, pair in zip(answers, some, strict=True))
    return right
