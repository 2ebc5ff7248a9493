"""The library transformers: it opens an export, which is then compared with coc's model.

It is imported only when it is used, since it is optional.
"""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import torch

from coc_core.errors import ArtefactError
from coc_core.models import Pair
from coc_core.text import quoted
from coc_learn.interchange import Agreement
from coc_transformer.model import Decoder
from coc_transformer.quiet import quiet
from coc_transformer.tokenizer import NO_TEXT, TextTokenizer

_LARGEST_DIFFERENCE = 1e-4  # of two logits in float32


def transformers() -> Any:
    """The library; ImportError if it is not installed."""
    return import_module("transformers")


def compare(folder: Path, decoder: Decoder, tokenizer: TextTokenizer, pairs: Sequence[Pair]) -> Agreement:
    """Open the folder and compare the logits of both models for every token of these pairs.

    Pairs that are too long for the model are left out.

    Raises:
        ArtefactError: If prompts or targets have different tokens or texts, logits differ by more than rounding, or a
            likeliest token of a target differs.
    """
    examples = [(pair, *tokenizer.example(pair)) for pair in pairs]
    examples = [example for example in examples if len(example[1]) <= decoder.config.max_len]
    if not examples:
        raise ArtefactError(
            f"the model reads at most {decoder.config.max_len} tokens, so there is no prompt to check an export with"
        )
    library = transformers()
    with quiet(library):
        theirs, reader = _opened(library, folder)
    difference, tokens = 0.0, 0
    with torch.inference_mode():
        for pair, ids, target in examples:
            _check_texts(reader, tokenizer, pair, ids, target)
            row = torch.tensor([ids[:-1]])
            expected, found = decoder(row), theirs(row).logits
            largest = float((expected - found).abs().max())
            same = torch.equal(expected[:, target - 1 :].argmax(-1), found[:, target - 1 :].argmax(-1))
            if not largest <= _LARGEST_DIFFERENCE or not same:
                raise ArtefactError(
                    f"transformers gives different logits from coc for the prompt {quoted(pair.prompt, 60)}:"
                    f" they differ by {largest:.1e}, and {_LARGEST_DIFFERENCE:.0e} is allowed"
                )
            difference, tokens = max(difference, largest), tokens + len(ids)
    return Agreement(len(examples), tokens, difference)


def _opened(library: Any, folder: Path) -> tuple[Any, Any]:
    """The model and the tokenizer; ArtefactError if a tensor is missing or left over, or anything else is wrong."""
    try:
        model, found = library.AutoModelForCausalLM.from_pretrained(
            folder, local_files_only=True, dtype=torch.float32, output_loading_info=True
        )
        reader = library.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    except Exception as error:  # an OSError among them would be reported as a full disk
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise ArtefactError(f"transformers can't open the export: {reason:.200}") from error
    for trouble, names in found.items():
        if names:
            raise ArtefactError(f"transformers opens the export with {trouble}: {str(sorted(names, key=str))[:120]}")
    return model.eval(), reader


def _check_texts(reader: Any, tokenizer: TextTokenizer, pair: Pair, ids: list[int], target: int) -> None:
    if list(reader(pair.prompt)["input_ids"]) != ids[:target]:
        raise ArtefactError(f"transformers reads different tokens from coc in the prompt {quoted(pair.prompt, 60)}")
    text = reader.decode(ids[target:], skip_special_tokens=True)
    if text != tokenizer.decode(ids[target:]).replace(NO_TEXT, ""):
        raise ArtefactError(f"transformers writes a different text from coc for the target {quoted(pair.target, 60)}")
