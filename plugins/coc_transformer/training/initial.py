"""The checkpoint that a training is initialised from, if it does not start from new weights."""

from attrs import asdict, evolve, frozen

from coc_core.errors import UsageError
from coc_core.models import Identity, TrainingJob, read_config
from coc_transformer.model import Decoder, checkpoint
from coc_transformer.tokenizer import TextTokenizer
from coc_transformer.training.history import PairHistory
from coc_transformer.training.hyperparameters import Hyperparameters


@frozen
class InitialCheckpoint:
    """A checkpoint that knows the dialects to be trained.

    Its dialects and its tokenizer are kept, the new checkpoint's card includes its card, and the new checkpoint's
    record of pairs continues its `history`.
    """

    name: str
    identity: Identity
    fingerprint: str
    card: str
    history: PairHistory
    model: Decoder
    tokenizer: TextTokenizer


def initial_checkpoint(job: TrainingJob, config: Hyperparameters) -> InitialCheckpoint | None:
    """Open the checkpoint that `job.init` names; None if it names none.

    Raises:
        UsageError: If it lacks one of the job's dialects, or has another architecture than the hyperparameters.
        ArtefactError: If it is broken.
    """
    if job.init is None:
        return None
    identity, contents = read_config(job.init)
    dialects = [each.dialect for each in job.training_sets]
    if identity.backend != job.backend or not set(dialects) <= set(identity.dialects):
        raise UsageError(
            f"the checkpoint {job.init} is for {', '.join(identity.dialects)}, and the pairs are in"
            f" {', '.join(dialects)}",
            remedy="train some or all of its dialects, or leave out --init",
        )
    model, tokenizer = checkpoint.load(job.init, contents)
    expected, found = (asdict(shape) for shape in (evolve(config.model, vocab=tokenizer.size), model.config))
    for name, value in found.items():
        if expected[name] != value:
            raise UsageError(
                f"the checkpoint {job.init} has {name} {value}, and these hyperparameters {expected[name]}",
                remedy="give the preset and the hyperparameters that its card states",
            )
    name, card, fingerprint = job.init.resolve().name, checkpoint.read_card(job.init), checkpoint.fingerprint(job.init)
    history = PairHistory.read(job.init, fingerprint)
    return InitialCheckpoint(name, identity, fingerprint, card, history, model, tokenizer)
