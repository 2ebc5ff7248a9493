"""The sizes of a model and the settings of a training, each a frozen record that is checked whenever it is made."""

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import NOTHING, AttrsInstance, asdict, field, fields, frozen, validators

from coc_core.errors import ArtefactError
from coc_transformer.model.positions import COUNTERS, POSITIONS

ConfigT = TypeVar("ConfigT", bound=AttrsInstance)

TOKENS = ("merged", "digits", "exact")
OPTIMIZERS = ("adamw", "muon")
INITS = ("gpt2", "fan-in")
LOSSES = ("target", "all")
PRECISIONS = ("auto", "float32", "bfloat16")


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
    positions: str = field(validator=validators.in_(POSITIONS))
    """How the model is told where a token stands; see `coc_transformer.model.positions`."""
    token_shift: int = field(validator=_within(0, 8))
    """Into each token's embedding those of so many tokens in front of it are mixed, each through a matrix."""
    rotary: int = field(default=0, validator=_within(0, 256))
    """So many planes of each head's queries and keys turn with the place in a list (`coc_transformer.model.rotary`)."""
    list_end_rotary: bool = False
    """As a key, what ends a list turns as the place behind its last one; otherwise as place 0, where a list begins."""

    def __attrs_post_init__(self) -> None:
        if self.d_model % self.heads:
            raise ValueError(f"'d_model' {self.d_model} is no multiple of 'heads' {self.heads}")
        if 2 * self.rotary > self.d_model // self.heads:
            most = self.d_model // self.heads // 2
            raise ValueError(f"'rotary' {self.rotary} is more than the {most} planes that a head has")
        if self.rotary and self.positions != "structural":
            raise ValueError("'rotary' needs 'positions' to be structural")
        if self.list_end_rotary and not self.rotary:
            raise ValueError("'list_end_rotary' says how keys turn, and 'rotary' is 0")
        if self.parameters() > _MOST_PARAMETERS:
            raise ValueError(f"a model of {self.parameters():,} parameters is larger than {_MOST_PARAMETERS:,}")

    def parameters(self) -> int:
        """How many parameters the model has; the output layer is the token embedding, counted once."""
        attention = 4 * self.d_model**2
        feed_forward = 2 * self.d_model * self.d_ff + self.d_ff + self.d_model
        norm = 2 * self.d_model
        block = attention + feed_forward + 2 * norm
        places = self.max_len if self.positions == "absolute" else sum(COUNTERS)
        return (self.vocab + places + self.token_shift * self.d_model) * self.d_model + self.layers * block + norm


_MOST_PARAMETERS = 1_000_000_000


@frozen
class TrainingConfig:
    """How a model and its tokenizer are trained."""

    steps: int = field(validator=_within(1, 10_000_000))
    epochs: int = field(validator=_within(1, 1_000_000))
    """The training ends after so many times as many pairs as there are, if that comes before `steps`."""
    batch_size: int = field(validator=_within(1, 65_536))
    lr: float = field(validator=_within(0, 1))
    """The highest learning rate: reached after `warmup` steps, then lowered to zero along a cosine."""
    optimizer: str = field(validator=validators.in_(OPTIMIZERS))
    """What turns gradients into steps; see `coc_transformer.training.optimise`."""
    init: str = field(validator=validators.in_(INITS))
    """How the weights are drawn; see `Decoder.initialise`."""
    warmup: int = field(validator=_within(0, 10_000_000))
    weight_decay: float = field(validator=_within(0, 10))
    clip: float = field(validator=_within(1e-6, 1e6))
    """The largest norm of the gradient; a longer one is scaled down to it."""
    loss: str = field(validator=validators.in_(LOSSES))
    """Which tokens are to be foretold: those of the `target`, or `all`, the prompt's too."""
    bucket_share: float = field(validator=_within(0, 1))
    """The share of each batch that is drawn stratum by stratum (`coc_transformer.batches.sampler`)."""
    curriculum: float = field(validator=_within(0, 1))
    """The share of the steps in which the pairs grow from short to long. See `coc_transformer.batches.curriculum`."""
    prioritised_replay: float = field(validator=_within(0, 0.9))
    """The share of each batch that is drawn by how hard pairs were when last seen (`coc_transformer.batches.prioritised_replay`)."""
    loss_probes: int = field(validator=_within(0, 65_536))
    """So many pairs beside the batch are answered at each step, and not learned from, to know how hard they are."""
    ema: float = field(validator=_within(0, 0.999999))
    """How slowly the average of the weights follows them; it is what is measured and shipped. 0: no average."""
    name_permutation: float = field(validator=_within(0, 1))
    """The share of the sequences whose names are permuted in training (`coc_transformer.batches.name_permutation`)."""
    item_offset: int = field(validator=_within(0, COUNTERS[1]))
    digit_offset: int = field(validator=_within(0, COUNTERS[-1]))
    """In training the items, or the digits, of a sequence are counted from a number drawn for it, 0 to this; see
    `Decoder.hidden`."""
    precision: str = field(validator=validators.in_(PRECISIONS))
    """What matrices are multiplied in; `auto` is bfloat16 where a GPU has it, else float32."""
    eval_interval: int = field(validator=_within(1, 10_000_000))
    eval_pairs: int = field(validator=_within(1, 10_000_000))
    """Of so many pairs of either half, at most, exactness is measured on the way."""
    final_pairs: int = field(validator=_within(0, 1_000_000_000))
    """Of so many pairs of either half of each dialect, at most, exactness is measured in the end. 0: of all."""
    stop_exact: int = field(validator=_within(0, 1_000_000))
    """After so many measurements in a row in which all training pairs were exact the training ends. 0: never."""
    snapshot_seconds: int = field(validator=_within(0, 86_400))
    """How often what is needed to go on is stored."""
    min_frequency: int = field(validator=_within(1, 1_000_000))
    """How often a pair of tokens, or a chunk, must stand in the text to become a token."""
    tokens: str = field(validator=validators.in_(TOKENS))
    """The kind of tokens; see `coc_transformer.tokenizer.tokenizer`."""
    seed: int = field(validator=_within(0, 2**63 - 1))
    """Draws the weights, the batches and the dropout."""

    def __attrs_post_init__(self) -> None:
        if self.loss_probes and not self.prioritised_replay:
            raise ValueError(
                f"'loss_probes' {self.loss_probes} look for pairs to draw again, and 'prioritised_replay' is 0"
            )


def from_json(kind: type[ConfigT], values: object, where: str) -> ConfigT:
    """The record that a JSON object writes; ArtefactError, naming `where`, unless keys, types and sizes are right."""
    if not isinstance(values, Mapping):
        raise ArtefactError(f"{where} is no JSON object")
    known = {attribute.name: attribute for attribute in fields(kind)}
    for name in values:
        if name not in known:
            raise ArtefactError(f"{where} has the unknown key {name!r}")
    for name, attribute in known.items():
        if name not in values:
            if attribute.default is NOTHING:
                raise ArtefactError(f"{where} lacks the key {name!r}")
            continue  # it came later than some checkpoints
        value, expected = values[name], attribute.type
        # A bool is an int to isinstance, and JSON writes 1.0 as 1 at times: hence types, compared one by one.
        if type(value) is not expected and not (expected is float and type(value) is int):
            wanted = getattr(expected, "__name__", expected)
            raise ArtefactError(f"{where}: {name!r} must be of type {wanted}, not {value!r:.40}")
    try:
        return kind(**values)
    except (ValueError, OverflowError) as error:
        raise ArtefactError(f"{where}: {error.args[0]}") from None


def note_from_json(values: object, where: str) -> dict[str, Any]:
    """A record that is there for people alone: plain values, under whatever names another version gave them.

    ArtefactError, naming `where`, if it is no JSON object, or a value is a list or an object.
    """
    if not isinstance(values, dict):
        raise ArtefactError(f"{where} is no JSON object")
    for name, value in values.items():
        if isinstance(value, list | dict):
            raise ArtefactError(f"{where}: {name!r:.80} must be a plain value, not {value!r:.40}")
    return values


def to_json(config: AttrsInstance) -> dict[str, Any]:
    """What `from_json` reads."""
    return asdict(config)
