"""What a backend notes while it trains."""

from pathlib import Path

from coc_core.errors import ArtefactError
from coc_core.storage import parse_json_object, read_bytes

METRICS = "metrics.jsonl"
"""What a backend notes while it trains, in the folder of the checkpoint.

Each line is a JSON object with a `step` and some of these numbers: `loss`, `lr` (the learning rate), `train_exact` and
`heldout_exact` (shares of measured pairs, from 0 to 1). Others may stand beside them.
"""

_LARGEST = 1 << 26  # bytes


def read_metrics(folder: Path) -> list[dict[str, float]]:
    """Return the numbers of each line, in order.

    Raises:
        ArtefactError: The folder has no such file, or it is not of this form.
    """
    path = folder / METRICS
    lines = read_bytes(path, _LARGEST).splitlines()
    return [_numbers(line, f"{path}: line {number}") for number, line in enumerate(lines, start=1)]


def _numbers(line: bytes, where: str) -> dict[str, float]:
    values = parse_json_object(line, where)
    numbers = {name: value for name, value in values.items() if type(value) in (int, float)}
    if "step" not in numbers:
        raise ArtefactError(f"{where} has no 'step', or one that is not a number")
    return numbers
