"""What `--network hf:…` names: a configuration, a folder with weights, or a pinned revision on the Hub."""

import re
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

from attrs import frozen

from coc_core.errors import ArtefactError, UsageError
from coc_core.models import CONFIG, check_pickles
from coc_core.storage import open_regular, read_json
from coc_core.text import quoted
from coc_doors.hub import fetched
from coc_transformer.causal.documents import check_document

PREFIX = "hf:"
_REVISION = re.compile(
    "(?P<repository>[A-Za-z0-9][A-Za-z0-9._-]{0,95}/[A-Za-z0-9][A-Za-z0-9._-]{0,95})(@(?P<commit>.*))?"
)
_REMEDY = "write hf:CONFIG.json, hf:FOLDER, or hf:OWNER/NAME@COMMIT with the 40 digits of a commit"
_LARGEST = 1 << 40  # bytes of a file
_ADAPTER, _INDEX = "adapter_config.json", "model.safetensors.index.json"
COC_KEYS = ("backend", "dialects", "sizes", "tested", "network", "model", "training")
"""The keys of `config.json` that are coc's, beside those of transformers."""


@frozen
class Source:
    """What was named: a configuration as its file has it, `where` it is for errors, the folder of its weights (None for
    new ones), the SHA-256 of both, and what cards call the weights.
    """

    document: dict[str, Any]
    where: str
    folder: Path | None
    sha256: str
    label: str

    @classmethod
    def of(cls, text: str) -> "Source":
        """Return what a text names, `hf:` left out; UsageError if that is nothing or a revision that may move,
        ServiceError if the Hub can't be reached, ArtefactError if the configuration or the folder can't be used.
        """
        path = Path(text)
        if not text or "\0" in text or not path.exists():
            found = _REVISION.fullmatch(text)
            if found is None or found["commit"] is None or text.endswith(".json"):
                raise UsageError(f"{quoted(PREFIX + text, 80)} is no configuration or folder", remedy=_REMEDY)
            if not re.fullmatch("[0-9a-f]{40}", found["commit"]):
                raise UsageError(f"{quoted(PREFIX + text, 120)} is a revision that may move", remedy=_REMEDY)
            return cls._of_folder(fetched(found["repository"], found["commit"], cls._of_folder)[1], text)
        if path.is_dir():
            return cls._of_folder(path, path.resolve().name)
        return cls(_document(path), text, None, _sum(path), "")

    @classmethod
    def _of_folder(cls, folder: Path, label: str = "") -> "Source":
        check_pickles(folder)
        document = _document(folder / CONFIG)
        weights = sorted(each for each in folder.iterdir() if each.suffix == ".safetensors")
        if not weights:
            raise ArtefactError(f"{folder} has no weights as safetensors", remedy="no other format is ever opened")
        if (folder / _ADAPTER).exists():
            raise ArtefactError(
                f"{folder} has an adapter ({_ADAPTER})", remedy="merge it with the weights, or delete it"
            )
        if (folder / _INDEX).exists():
            parts = read_json(folder / _INDEX).get("weight_map")
            if not isinstance(parts, dict) or not {*map(str, parts.values())} <= {each.name for each in weights}:
                raise ArtefactError(f"{folder / _INDEX} names weights that are not in the folder")
        sums = "".join(f"{_sum(each)}  {each.name}\n" for each in (folder / CONFIG, *weights))
        return cls(document, str(folder / CONFIG), folder, sha256(sums.encode()).hexdigest(), label)


def _document(path: Path) -> dict[str, Any]:
    """Return the configuration in a file, without what coc says of a checkpoint there."""
    document = {key: value for key, value in read_json(path).items() if key not in COC_KEYS}
    check_document(document, str(path))
    return document


def _sum(path: Path) -> str:
    try:
        with open_regular(path, _LARGEST) as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ArtefactError(f"can't read {path}: {error.strerror}") from None
