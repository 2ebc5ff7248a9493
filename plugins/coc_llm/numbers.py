"""Decimal numbers among the options of a model or of an executor."""

import re
from collections.abc import Callable


def decimal_from(least: float, most: float) -> Callable[[str], float]:
    """Reads a number from `least` to `most` in plain decimal notation."""

    def read(text: str) -> float:
        if not re.fullmatch(r"(0|[1-9][0-9]{0,11})(\.[0-9]{1,12})?", text) or not least <= float(text) <= most:
            raise ValueError(f"a number from {least:g} to {most:g}, such as 0.5")
        return float(text)

    return read
