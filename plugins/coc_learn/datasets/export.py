"""The pairs of a dataset as other libraries' trainers read them: JSON lines, a pair in each."""

import json
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path

from coc_core.models import Pair
from coc_core.storage import FreshFile
from coc_learn.datasets.audit import Dataset


class RowFormat(StrEnum):
    """What is in a line.

    Attributes:
        chat: `messages`: the user's is the prompt, the assistant's the target.
        prompt_completion: `prompt` and `completion`.
    """

    chat = "chat"
    prompt_completion = "prompt-completion"


class ExportedSubset(StrEnum):
    """The training pairs, or the pairs that are held out."""

    train = "train"
    heldout = "heldout"


_ROWS: Mapping[RowFormat, Callable[[Pair], object]] = {
    RowFormat.chat: lambda pair: {
        "messages": [{"role": "user", "content": pair.prompt}, {"role": "assistant", "content": pair.target}]
    },
    RowFormat.prompt_completion: lambda pair: {"prompt": pair.prompt, "completion": pair.target},
}


def export_rows(dataset: Dataset, subset: ExportedSubset, row_format: RowFormat, path: Path) -> int:
    """Write the pairs of a subset to `path`, whole or not at all, and return how many there are.

    Raises:
        ArtefactError: The dataset is broken.
        StorageError: The file system refuses.
    """
    row, count = _ROWS[row_format], 0
    with FreshFile(path, "exported pairs") as file:
        for _, pair in dataset.file(subset.value):
            file.write(json.dumps(row(pair), ensure_ascii=False).encode() + b"\n")
            count += 1
        file.keep()
    return count
