"""The decoder-only transformer of the paper (appendix "Experimental Setup"), in GPT-2's layout.

Pre-normalisation, learned positions, GELU, and an output layer that shares the token embedding's weights. The
attention's projections have no biases, the feed-forward layers and LayerNorms do. The paper does not state this last
point; it follows from the parameter counts in its table. What goes beyond the paper is off in its presets: positions
counted by fields, the token shift, which mixes the preceding tokens into each token before the first block, rotary
queries and keys, prompts whose tokens don't attend, lists whose items don't attend to each other, and attention that
gets sharper with the length.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from coc_transformer.files import ModelConfig, checkpoint, weights
from coc_transformer.model.forward import Augmentation, Layer, Tensors, hidden
from coc_transformer.model.positions import rotation_table
from coc_transformer.model.reader import Folded, Reader
from coc_transformer.network import Network
from coc_transformer.tokenizer import TextTokenizer

_INITIAL_STD = 0.02  # as GPT-2


class Block(nn.Module):
    """The parameters of one block: attention and feed-forward layer, each after a LayerNorm."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        d_model, d_ff = config.d_model, config.d_ff
        self.norm1 = nn.LayerNorm(d_model)
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out = nn.Linear(d_model, d_model, bias=False)
        self.norm2 = nn.LayerNorm(d_model)
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)

    def tensors(self) -> Layer:
        """Return the current parameters."""
        return Layer(
            (self.norm1.weight, self.norm1.bias),
            self.qkv.weight,
            self.out.weight,
            (self.norm2.weight, self.norm2.bias),
            (self.up.weight, self.up.bias),
            (self.down.weight, self.down.bias),
        )


class Decoder(Network):
    """The decoder as a network. Structural positions need the kind of each token (`TextTokenizer.kinds`)."""

    config: ModelConfig
    kinds: Tensor | None
    rotation_table: Tensor | None

    def __init__(self, config: ModelConfig, kinds: Sequence[int] | None = None) -> None:
        super().__init__()
        self.config, self.draws, self._kinds = config, bool(config.dropout), list(kinds or ())
        self.tokens = _embedding(config.vocab, config.d_model)
        tables = config.tables()
        if tables:
            if kinds is None or len(kinds) != config.vocab:
                raise ValueError(f"{config.positions} positions need the kind of each token")
            known: Tensor | None = torch.tensor(kinds, device="cpu")
            self.positions: nn.Module = nn.ModuleList(_embedding(size, config.d_model) for size in tables.values())
        else:
            known = None
            self.positions = _embedding(config.max_len, config.d_model)
        # Buffers move with the weights, and these are not part of a checkpoint.
        rotations = rotation_table(config.rotary) if config.rotary else None
        self.register_buffer("kinds", known, persistent=False)
        self.register_buffer("rotation_table", rotations, persistent=False)
        shifts = range(config.token_shift)
        self.shifts = nn.ModuleList(nn.Linear(config.d_model, config.d_model, bias=False) for _ in shifts)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.layers))
        self.norm = nn.LayerNorm(config.d_model)

    def initialise(self, *, fan_in: bool = False) -> None:
        """Draw the weights from torch's global generator, smaller where they feed a residual stream. One standard
        deviation serves all matrices, as in GPT-2; or, with `fan_in`, 1/sqrt(inputs) for those of the blocks and of the
        token shift, which gives a narrow model useful attention and features from the start.
        """
        for name, parameter in self.named_parameters():
            if name.endswith("bias"):
                nn.init.zeros_(parameter)
            elif "norm" in name:
                nn.init.ones_(parameter)
            else:
                inside = name.startswith(("blocks.", "shifts."))
                std = parameter.shape[1] ** -0.5 if inside and fan_in else _INITIAL_STD
                if name.endswith(("out.weight", "down.weight")):
                    std /= (2 * self.config.layers) ** 0.5
                nn.init.normal_(parameter, std=std)

    def tensors(self) -> Tensors:
        """Return the current parameters, for `hidden`."""
        return Tensors(
            self.tokens.weight,
            tuple(self.positions.parameters()),
            tuple(self.config.tables()),
            self.kinds,
            self.rotation_table,
            self.config.prompt_attention,
            self.config.list_attention,
            self.config.log_scaling,
            tuple(self.shifts.parameters()),
            tuple(block.tensors() for block in self.blocks if isinstance(block, Block)),
            (self.norm.weight, self.norm.bias),
        )

    def hidden(self, input_ids: Tensor, drawn: Augmentation | None = None, selected: Tensor | None = None) -> Tensor:
        dropout = self.config.dropout if self.training else 0.0
        return hidden(self.tensors(), self.config.heads, input_ids, dropout, drawn, selected)

    def project(self, x: Tensor) -> Tensor:
        return functional.linear(x, self.tokens.weight)

    def begin(self, rows: Sequence[list[int]]) -> tuple[Reader, weights.Array]:
        reader = Reader(self.folded, rows)
        return reader, reader.read(rows)

    def saved(self) -> Mapping[str, Tensor]:
        return self.state_dict()

    def matrices(self) -> frozenset[str]:
        inner = (name for name, each in self.named_parameters() if each.dim() == 2)
        return frozenset(name for name in inner if name.startswith(("blocks.", "shifts.")))

    @cached_property
    def folded(self) -> Folded:
        """The weights for a `Reader`, as they are when this is first asked for."""
        return Folded(self.config, self.tensors(), self._kinds)


def load_decoder(folder: Path, config: dict[str, Any]) -> tuple[Decoder, TextTokenizer]:
    """Return the model and the tokenizer of a checkpoint; arguments and errors as for `checkpoint.load`."""
    stored = checkpoint.load(folder, config)
    return decoder_of(stored), stored.tokenizer


def decoder_of(stored: checkpoint.Stored) -> Decoder:
    """Return the model of a checkpoint that was read, with its weights, not copied."""
    with torch.device("meta"):  # its weights are those that were read
        decoder = Decoder(stored.config, stored.tokenizer.kinds())
    decoder.load_state_dict({name: torch.from_numpy(array) for name, array in stored.tensors.items()}, assign=True)
    return decoder.requires_grad_(False).eval()


def tensor_contents(state: Mapping[str, Tensor]) -> weights.Contents:
    """Return the contents of a file of tensors, which may be on any device and of any type."""
    return weights.Contents(state, lambda tensor: tensor.detach().float().cpu().numpy())


def _embedding(rows: int, width: int) -> nn.Embedding:
    """Return an embedding, drawn but on the meta device, where torch would take a second to import its compiler."""
    if torch.get_default_device().type == "meta":
        return nn.Embedding(rows, width, _weight=torch.empty(rows, width))
    return nn.Embedding(rows, width)
