"""The sizes of a model and the settings of a training, each a frozen record that is checked whenever it is made."""

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import AttrsInstance, asdict, field, fields, frozen, validators

from coc_core.errors import ArtefactError

ConfigT = TypeVar("ConfigT", bound=AttrsInstance)


def _within(least: float, most: float) -> Any:
    """A validator of numbers from `least` to `most`. NaN is not among them."""
    return validators.and_(validators.ge(least), validators.le(most))


@frozen
class ModelConfig:
    """A decoder-only transformer. In a preset `vocab` is the most that the tokenizer may use, else what it uses."""

    vocab: int = field(validator=_within(8, 65_536))
    d_model: int = field(validator=_within(4, 4_096))
    layers: int = field(validator=_within(1, 64))
    heads: int = field(validator=_within(1, 64))
    d_ff: int = field(validator=_within(4, 16_384))
    max_len: int = field(validator=_within(4, 8_192))
    """The most tokens that a sequence may have: prompt, separator, target and special tokens together."""
    dropout: float = field(validator=_within(0, 0.9))

    def __attrs_post_init__(self) -> None:
        if self.d_model % self.heads:
            raise ValueError(f"'d_model' {self.d_model} is no multiple of 'heads' {self.heads}")
        if self.parameters() > _MOST_PARAMETERS:
            raise ValueError(f"a model of {self.parameters():,} parameters is larger than {_MOST_PARAMETERS:,}")

    def parameters(self) -> int:
        """How many parameters the model has; the output layer is the token embedding, counted once."""
        attention = 4 * self.d_model**2
        feed_forward = 2 * self.d_model * self.d_ff + self.d_ff + self.d_model
        norm = 2 * self.d_model
        block = attention + feed_forward + 2 * norm
        return (self.vocab + self.max_len) * self.d_model + self.layers * block + norm


_MOST_PARAMETERS = 1_000_000_000


@frozen
class TrainingConfig:
    """How a model and its tokenizer are trained."""

    steps: int = field(validator=_within(1, 10_000_000))
    epochs: int = field(validator=_within(1, 1_000_000))
    """The training ends after so many passes over the pairs, if that comes before `steps`."""
    batch_size: int = field(validator=_within(1, 65_536))
    lr: float = field(validator=_within(0, 1))
    """The highest learning rate: reached after `warmup` steps, then lowered to zero along a cosine."""
    warmup: int = field(validator=_within(0, 10_000_000))
    weight_decay: float = field(validator=_within(0, 10))
    clip: float = field(validator=_within(1e-6, 1e6))
    """The largest norm of the gradient; a longer one is scaled down to it."""
    eval_interval: int = field(validator=_within(1, 10_000_000))
    min_frequency: int = field(validator=_within(1, 1_000_000))
    """How often a pair of tokens must stand in the text for BPE to merge it."""
    single_digits: bool
    """Whether each digit is a token of its own."""
    seed: int = field(validator=_within(0, 2**63 - 1))
    """Draws the weights, the batches and the dropout."""


def from_json(kind: type[ConfigT], values: object, where: str) -> ConfigT:
    """The record that a JSON object writes; ArtefactError, naming `where`, unless keys, types and sizes are right."""
    if not isinstance(values, Mapping):
        raise ArtefactError(f"{where} is no JSON object")
    known = {attribute.name: attribute.type for attribute in fields(kind)}
    for name in values:
        if name not in known:
            raise ArtefactError(f"{where} has the unknown key {name!r}")
    for name, expected in known.items():
        if name not in values:
            raise ArtefactError(f"{where} lacks the key {name!r}")
        value = values[name]
        # A bool is an int to isinstance, and JSON writes 1.0 as 1 at times: hence types, compared one by one.
        if type(value) is not expected and not (expected is float and type(value) is int):
            wanted = getattr(expected, "__name__", expected)
            raise ArtefactError(f"{where}: {name!r} must be of type {wanted}, not {value!r:.40}")
    try:
        return kind(**values)
    except (ValueError, OverflowError) as error:
        raise ArtefactError(f"{where}: {error}") from None


def to_json(config: AttrsInstance) -> dict[str, Any]:
    """What `from_json` reads."""
    return asdict(config)
