"""How much memory a model may take: as much as the environment variable COC_MODEL_MEMORY allows."""

import os
import re

from coc_core.errors import ArtefactError, UsageError

VARIABLE = "COC_MODEL_MEMORY"
DEFAULT = "1GiB"
_UNITS = {"MiB": 1 << 20, "GiB": 1 << 30}
_AMOUNT = re.compile("([1-9][0-9]{0,8})(MiB|GiB)")


def memory_budget() -> int:
    """Return how many bytes a model may take; UsageError unless the environment gives a whole number of MiB or GiB."""
    text = os.environ.get(VARIABLE) or DEFAULT
    found = _AMOUNT.fullmatch(text)
    if found is None:
        raise UsageError(f"{VARIABLE}={text!r:.40} is not an amount of memory", remedy="write it as 512MiB or 4GiB")
    return int(found[1]) * _UNITS[found[2]]


def check_memory(needed: int, what: str) -> None:
    """Raise ArtefactError unless `what` may take so many bytes (`memory_budget`), before it takes any."""
    if needed > (budget := memory_budget()):
        amount = -(-needed // _UNITS["MiB"])
        raise ArtefactError(
            f"{what} needs {amount:,} MiB of memory, and {budget // _UNITS['MiB']:,} MiB are allowed",
            remedy=f"set {VARIABLE}={amount}MiB to allow it",
        )
