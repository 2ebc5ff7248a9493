"""The checkpoint that a training begins with, if it does not begin with new weights."""

from attrs import evolve, frozen

from coc_core.errors import UsageError
from coc_core.models import TrainingJob, read_config
from coc_transformer.model import Decoder, checkpoint, to_json
from coc_transformer.tokenizer import TextTokenizer
from coc_transformer.training.presets import Preset


@frozen
class InitialCheckpoint:
    """A checkpoint that speaks what is to be learned; its dialects and tokenizer stay, and its card is told on."""

    name: str
    dialects: tuple[str, ...]
    fingerprint: str
    card: str
    model: Decoder
    tokenizer: TextTokenizer


def initial_checkpoint(job: TrainingJob, preset: Preset) -> InitialCheckpoint | None:
    """What `job.init` names, None if it names nothing.

    UsageError unless it speaks all of the job's dialects and has the preset's shape, ArtefactError if it is broken.
    """
    if job.init is None:
        return None
    identity, config = read_config(job.init)
    dialects = [training_sets.dialect for training_sets in job.training_sets]
    if identity.backend != job.backend or not set(dialects) <= set(identity.dialects):
        raise UsageError(
            f"the checkpoint {job.init} speaks {', '.join(identity.dialects)}, and the pairs are in"
            f" {', '.join(dialects)}",
            remedy="learn some or all of those it speaks, or begin without --init",
        )
    model, tokenizer = checkpoint.load(job.init, config)
    wanted, found = (to_json(shape) for shape in (evolve(preset.model, vocab=tokenizer.size), model.config))
    for name, value in found.items():
        if wanted[name] != value:
            raise UsageError(
                f"the checkpoint {job.init} has {name}={value}, and the preset {wanted[name]}",
                remedy=f"add --set {name}={value}",
            )
    name, card = job.init.resolve().name, checkpoint.read_card(job.init)
    return InitialCheckpoint(name, identity.dialects, checkpoint.fingerprint(job.init), card, model, tokenizer)
