"""The backend `transformer`: a checkpoint behind the core's model interface."""

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from math import inf
from pathlib import Path
from typing import Any

import torch

from coc_core.errors import ArtefactError, StepFault
from coc_core.models import (
    CONFIG,
    DraftVerifier,
    Identity,
    Pair,
    Response,
    Sampler,
    StatesMargins,
    TargetMargin,
    TokenModel,
    TokenScore,
)
from coc_core.text import counted
from coc_transformer.decoding.bfloat16 import bfloat16_requested, requested_verify_pass
from coc_transformer.decoding.greedy import Decoded, decode, decode_until_mismatch, sample
from coc_transformer.decoding.known import logit_margins, score
from coc_transformer.model import Decoder, checkpoint, device_name, inference_device
from coc_transformer.rounding import float32_assumptions, target_margin
from coc_transformer.tokenizer import EOS, TextTokenizer

_MARGINS_TOGETHER = 1 << 10  # targets


class Transformer(DraftVerifier, Sampler, StatesMargins, TokenModel):
    """A trained transformer, decoded greedily on the device of its weights. Margins are differences of logits.

    In a vote, it is sampled at temperature 1.

    Args:
        decoder: The model.
        tokenizer: Its tokenizer.
        label: What `describe` calls it where nobody chose it.
        dialect: The index of the dialect that it answers in.
    """

    name = "transformer"

    def __init__(self, decoder: Decoder, tokenizer: TextTokenizer, label: str, dialect: int = 0) -> None:
        super().__init__()
        self._decoder = decoder.eval()
        self._tokenizer = tokenizer
        self._label = label
        self._dialect = dialect
        self._verify_pass = requested_verify_pass()

    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]:
        return self._texts(decode(self._decoder, self._tokenizer, prompts, drafts, self._dialect, self._verify_pass))

    def _verify(self, prompts: Sequence[str], drafts: Sequence[str]) -> list[str]:
        return self._texts(
            decode_until_mismatch(self._decoder, self._tokenizer, prompts, drafts, self._dialect, self._verify_pass)
        )

    def _texts(self, decoded: Decoded) -> list[str]:
        self._note_margin(decoded.margin)
        return decoded.texts

    def _sample(self, prompts: Sequence[str], seeds: Sequence[int]) -> list[Response]:
        try:
            return [*sample(self._decoder, self._tokenizer, prompts, seeds, self._dialect)]
        except StepFault as fault:
            if len(prompts) == 1:
                return [fault]
        alone = zip(prompts, seeds, strict=True)
        return [response for prompt, seed in alone for response in self._sample([prompt], [seed])]

    def encode(self, text: str) -> list[int]:
        return self._tokenizer.encode(text)

    def decode(self, ids: Sequence[int]) -> str:
        return self._tokenizer.decode(ids)

    def unknown_character(self, text: str) -> str | None:
        return self._tokenizer.unknown_character(text)

    def score(self, prompts: Sequence[str], targets: Sequence[str], top: int) -> list[list[TokenScore]]:
        return score(self._decoder, self._tokenizer, prompts, targets, top, self._dialect)

    @property
    def assumptions(self) -> Mapping[str, str]:
        return float32_assumptions()

    def margins(self, pairs: Iterable[Pair], *, bounded: bool) -> Iterator[TargetMargin]:
        exact, remaining = copy.deepcopy(self._decoder).to("cpu").double(), iter(pairs)
        while some := list(islice(remaining, _MARGINS_TOGETHER)):
            examples = list(map(self._example, some))
            known = [example for example in examples if example is not None]
            if bounded:
                found = (target_margin(exact, *example) for example in known)
            else:
                found = (TargetMargin(margin) for margin in logit_margins(exact, known))
            yield from (TargetMargin(-inf) if example is None else next(found) for example in examples)

    def _example(self, pair: Pair) -> tuple[list[int], list[int]] | None:
        """The ids of a prompt and of its target with [EOS]; None if the model can't write these ids for that text."""
        limit = self._decoder.config.max_len
        context = self._tokenizer.context_below(limit, pair.prompt, self._dialect)
        target = [*self._tokenizer.encode(pair.target), EOS]
        writes_it = self._tokenizer.target(target) == pair.target and len(context) + len(target) <= limit
        return (context, target) if writes_it else None

    @property
    def parameters(self) -> int:
        """The number of parameters."""
        return self._decoder.parameter_count()

    def describe(self) -> str:
        return f"{self.choice or self._label} ({self.name}, {counted(self.parameters, 'parameter')})"


def open_checkpoint(folder: Path, config: dict[str, Any], identity: Identity, dialect: str) -> Transformer:
    """Open a checkpoint's folder as the model for one of its dialects.

    Args:
        folder: The checkpoint's folder.
        config: The backend's own keys of its `config.json`, from `coc_core.models.read_config`.
        identity: The rest of its `config.json`, from the same function.
        dialect: The dialect to answer in.

    Raises:
        ArtefactError: If anything in the folder is not as it must be.
    """
    decoder, tokenizer = checkpoint.load(folder, config)
    if len(identity.dialects) != tokenizer.dialects:
        raise ArtefactError(
            f"{folder / CONFIG} lists {len(identity.dialects)} dialects, and its tokenizer has {tokenizer.dialects}"
        )
    if dialect not in identity.dialects:
        raise ArtefactError(f"the checkpoint {folder} is for {', '.join(identity.dialects)}, not {dialect}")
    device = inference_device()
    model = Transformer(decoder.to(device), tokenizer, folder.resolve().name, identity.dialects.index(dialect))
    dtype = str(next(decoder.parameters()).dtype).removeprefix("torch.")
    drafts = "in bfloat16, again in float32 where in doubt"
    model.record = {
        "fingerprint": checkpoint.fingerprint(folder),
        "torch": torch.__version__,
        "dtype": dtype,
        "threads": str(torch.get_num_threads()),
        **({"device": device_name(device)} if device.type != "cpu" else {}),
        **({"drafts": drafts} if bfloat16_requested() else {}),
    }
    return model
