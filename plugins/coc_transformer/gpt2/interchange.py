"""`coc export` and `coc import` of this backend: a checkpoint's folder to a GPT-2 folder, and back.

Besides what transformers reads, an export contains `coc.json`, with what a GPT-2 folder can't express, and the
checkpoint's own model card as CARD.md. An import restores the checkpoint byte for byte.
"""

import json
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen

from coc_core.errors import ArtefactError, UsageError
from coc_core.extras import needs_extra
from coc_core.models import CONFIG, Identity, Pair, read_config, read_identity
from coc_core.storage import Contents, fresh_folder, read_bytes, read_json, write_files
from coc_core.text import quoted
from coc_learn.interchange import Agreement, Interchange
from coc_transformer.files import ModelConfig, check_size, checkpoint, from_json, note_from_json, to_json, weights
from coc_transformer.gpt2 import layout, tokenizer
from coc_transformer.tokenizer import BOS, EOS, LARGEST_FILE, PAD

RECORD = "coc.json"
CARD = "CARD.md"
README = "README.md"
_KIND = "export"
_GENERATION = "generation_config.json"
_TOKENIZER_CONFIG = "tokenizer_config.json"
_WRITTEN = {CARD, CONFIG, RECORD, README, _GENERATION, _TOKENIZER_CONFIG, checkpoint.TOKENIZER, checkpoint.WEIGHTS}
_LARGEST_CARD = 1 << 20  # bytes


@frozen
class _Record:
    """The contents of `coc.json`."""

    identity: Identity
    model: ModelConfig
    training: Mapping[str, Any]


class Gpt2Interchange(Interchange):
    """Checkpoints of the paper's architecture as GPT-2 folders."""

    def formats(self) -> Mapping[str, str]:
        return {"transformers": "a GPT-2 folder, as Hugging Face's library transformers opens it"}

    def _exports(self, folder: Path, target: str, out: Path, pairs: Sequence[Pair]) -> Agreement:
        with fresh_folder(out, marker=RECORD, kind=_KIND) as fresh:
            return _export(folder, fresh, pairs)

    def _imports(self, folder: Path, source: str, out: Path, dialect: str | None) -> Identity:
        with fresh_folder(out, marker=CONFIG) as fresh:
            return _import(folder, fresh, dialect)


def _export(folder: Path, fresh: Path, pairs: Sequence[Pair]) -> Agreement:
    identity, config = read_config(folder)
    stored = checkpoint.load(folder, config)
    text = stored.tokenizer
    if reason := layout.obstacle(stored.config) or tokenizer.obstacle(text):
        raise UsageError(
            f"the checkpoint {folder} can't become a GPT-2: {reason}",
            remedy="train one with a paper preset, or another with positions=absolute and tokens=digits",
        )
    if len(identity.dialects) != 1:
        raise ArtefactError(f"{folder / CONFIG} lists {len(identity.dialects)} dialects, and its tokenizer has one")
    with needs_extra("transformers", "an export for transformers is checked with that library"):  # else write nothing
        from coc_transformer.gpt2 import library
        from coc_transformer.model import decoder_of

        library.transformers()
    (dialect,) = identity.dialects
    sizes = {"sizes": identity.to_json()["sizes"]} if identity.sizes else {}
    record = {"dialect": dialect, **sizes, "model": to_json(stored.config), "training": config["training"]}
    ends = {"bos_token_id": BOS, "eos_token_id": EOS, "pad_token_id": PAD}
    files: dict[str, Contents] = {
        CONFIG: _to_bytes(layout.settings(stored.config)),
        checkpoint.WEIGHTS: weights.Contents(layout.to_gpt2(stored.tensors, stored.config)),
        checkpoint.TOKENIZER: tokenizer.to_file(text),
        _TOKENIZER_CONFIG: _to_bytes(tokenizer.settings(stored.config.max_len)),
        _GENERATION: _to_bytes({**ends, "do_sample": False, "max_length": stored.config.max_len}),
        RECORD: _to_bytes(record),
        CARD: read_bytes(folder / checkpoint.CARD, _LARGEST_CARD),
    }
    write_files(fresh, files)
    agreement = library.compare(fresh, decoder_of(stored), text, pairs)
    (fresh / README).write_text(_readme(dialect, _shortest(pairs), agreement), "utf-8")
    return agreement


def _import(folder: Path, fresh: Path, dialect: str | None) -> Identity:
    _check_names(folder)
    record = _read_record(folder / RECORD)
    (found,) = record.identity.dialects
    if dialect is not None and dialect != found:
        raise UsageError(f"{folder} is for {quoted(found, 80)}, not {dialect}")
    _check_settings(folder / CONFIG, layout.settings(record.model))
    check_size(record.model, str(folder / RECORD))
    path = folder / checkpoint.TOKENIZER
    text = tokenizer.from_file(read_bytes(path, LARGEST_FILE), str(path))
    if text.size != record.model.vocab:
        raise ArtefactError(f"{path} has {text.size} tokens, and {RECORD} says 'vocab' is {record.model.vocab}")
    empty = {name: np.broadcast_to(np.float32(0), shape) for name, shape in record.model.shapes().items()}  # no memory
    shapes = {name: array.shape for name, array in layout.to_gpt2(empty, record.model).items()}
    path = folder / checkpoint.WEIGHTS
    tensors = layout.from_gpt2(dict(weights.read(path, shapes)), record.model, str(path))
    files = checkpoint.contents(
        record.identity, {"model": to_json(record.model)}, weights.Contents(tensors), record.training, text
    )
    card = read_bytes(folder / CARD, _LARGEST_CARD)
    write_files(fresh, checkpoint.with_sums({**files, checkpoint.CARD: card}))
    return record.identity


def _shortest(pairs: Sequence[Pair]) -> Pair:
    return min(pairs, key=lambda pair: len(pair.prompt) + len(pair.target))


def _check_names(folder: Path) -> None:
    """Raise ArtefactError for a file that no export has; hidden files, such as git's folder, are ignored."""
    try:
        paths = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
        strange = [path.name for path in paths if path.name not in _WRITTEN or path.is_symlink() or not path.is_file()]
    except OSError as error:
        raise ArtefactError(f"{folder} is not an export: {error.strerror}") from None
    if strange:
        raise ArtefactError(
            f"{folder} contains {quoted(strange[0], 80)}, which is not part of an export",
            remedy="import only folders that coc exported",
        )


def _read_record(path: Path) -> _Record:
    where, values = str(path), read_json(path)
    dialect, sizes = values.get("dialect"), values.pop("sizes", {})
    if values.keys() != {"dialect", "model", "training"}:
        raise ArtefactError(f"{where} must have the keys 'dialect', 'model' and 'training'")
    model = from_json(ModelConfig, values["model"], f"{where}, 'model'")
    if reason := layout.obstacle(model):
        raise ArtefactError(f"{where} does not describe a GPT-2: {reason}")
    identity = read_identity({"backend": "transformer", "dialects": [dialect], "sizes": sizes}, where)
    return _Record(identity, model, note_from_json(values["training"], f"{where}, 'training'"))


def _check_settings(path: Path, expected: Mapping[str, Any]) -> None:
    found = read_json(path)
    for name in sorted({*found, *expected}):
        if name not in expected:
            raise ArtefactError(f"{path} has the key {name!r:.80}, which no export has")
        if name not in found or found[name] != expected[name]:
            raise ArtefactError(f"{path}: {name!r} must be {json.dumps(expected[name])} for the model in {RECORD}")


def _to_bytes(document: Mapping[str, Any]) -> bytes:
    return (json.dumps(document, indent=2) + "\n").encode()


def _readme(dialect: str, example: Pair, agreement: Agreement) -> str:
    """The README.md of an export in Markdown; its program generates the target of the `example`."""
    versions = f"transformers {version('transformers')} with torch {version('torch')}"
    return f"""# A GPT-2 for {dialect}

A model of `coc`, written by `coc export`. It reads one prompt in the dialect `{dialect}` and writes its target:

```python
from transformers import AutoModelForCausalLM, AutoTokenizer

folder = "."
tokenizer = AutoTokenizer.from_pretrained(folder)
model = AutoModelForCausalLM.from_pretrained(folder)
prompt = {example.prompt!r}
inputs = tokenizer(prompt, return_tensors="pt")
output = model.generate(**inputs)[0, inputs.input_ids.shape[1] :]
print(tokenizer.decode(output, skip_special_tokens=True))
```

The correct target of this prompt is

```text
{example.target}
```

The tokenizer adds [BOS] before a prompt and the separator, a newline, after it, so pass it the prompt alone. A target
ends with [EOS]; discard one that the end of the context cuts off.

{versions} opened this folder and was compared with coc's
model on {agreement.prompts:,} prompts and their targets, {agreement.tokens:,} tokens: the likeliest tokens of all
targets are the same, and logits differ by at most {agreement.difference:.2g}.

`coc import DIR -o CHECKPOINT` turns this folder back into the checkpoint. Its model card is CARD.md.
"""
