"""Options: what a value may be, and options in a text, as in `lead=3,finish=0.99`.

A record states its options once, each with a kind that reads its value:

    @frozen
    class VoteOptions:
        k: int | None = setting(Whole(1, 100), None)

    VoteOptions(**read(VoteOptions, "k=3", "the executor vote"))
"""

import operator
import re
from collections.abc import Iterable
from numbers import Real
from typing import Any

from attrs import field, fields, frozen

from coc_core.errors import UsageError
from coc_core.text.display import quoted
from coc_core.text.suggestions import nearest

_KIND = "kind"


@frozen
class Name:
    """Takes any text. `annotation` is the type of a value; `metavar` stands for it in a help."""

    metavar: str = "NAME"
    annotation: Any = str

    def read(self, text: Any) -> Any:
        """Return the value of a text; ValueError, with a sentence, for a wrong one."""
        return text

    def check(self, value: Any) -> Any:
        """Return the value that a caller from Python gives; ValueError, with a sentence, for a wrong one."""
        return value


@frozen
class Whole(Name):
    """Takes a whole number from `least` to `most`, of at most so many `digits`."""

    least: int | None = None
    most: int | None = None
    metavar: str = "N"
    annotation: Any = int
    digits: int = 18

    def read(self, text: Any) -> int:
        text = str(text)  # defaults are read, too
        # As Python prints it, unlike `int`, which also reads `1_0`, `007` and other scripts' digits.
        if not re.fullmatch(rf"0|-?[1-9][0-9]{{0,{self.digits - 1}}}", text):
            raise ValueError(f"{quoted(text, 24)} is not a whole number.")
        return self._within(int(text))

    def check(self, value: Any) -> int:
        try:
            number = operator.index(value)
        except TypeError:
            number = None
        if number is None or isinstance(value, bool):
            raise ValueError(f"{quoted(str(value), 24)} is not a whole number.")
        if abs(number) >= 10**self.digits:
            raise ValueError(f"it must have at most {self.digits} digits.")
        return self._within(number)

    def _within(self, number: int) -> int:
        if (self.least is not None and number < self.least) or (self.most is not None and number > self.most):
            allowed = f"at least {self.least:,}" if self.most is None else f"from {self.least:,} to {self.most:,}"
            raise ValueError(f"it must be {allowed}, not {number:,}.")
        return number


@frozen
class Decimal(Name):
    """Takes a number from `least` to `most`; on the command line in plain notation: no exponent, no `nan`."""

    least: float = 0.0
    most: float = 1.0
    metavar: str = "FRACTION"
    annotation: Any = float

    def read(self, text: Any) -> float:
        text = str(text)
        if not re.fullmatch(r"(0|[1-9][0-9]{0,11})(\.[0-9]{1,12})?", text):
            raise ValueError(f"{quoted(text, 24)} is not a number such as 0.5.")
        return self._within(float(text), text)

    def check(self, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, Real):
            raise ValueError(f"{quoted(str(value), 24)} is not a number such as 0.5.")
        number: Any = value
        return self._within(number, str(value))

    def _within(self, number: float, text: str) -> float:
        if not self.least <= number <= self.most:
            raise ValueError(f"it must be from {self.least:g} to {self.most:g}, not {quoted(text, 24)[1:-1]}.")
        return float(number)


@frozen
class Word(Name):
    """Takes one of a few words."""

    words: tuple[str, ...] = ()

    def read(self, text: Any) -> str:
        if text not in self.words:
            raise ValueError(f"it must be {' or '.join(self.words)}, not {quoted(text, 24)}.")
        return str(text)


@frozen
class Switch(Name):
    """Takes `yes` or `no`."""

    annotation: Any = bool

    def read(self, text: Any) -> bool:
        return Word(words=("yes", "no")).read(text) == "yes"


def setting(kind: Name, default: Any) -> Any:
    """Make a field of a record whose value a text may set, for `read`."""
    return field(default=default, metadata={_KIND: kind})


def read(record: type[Any], text: str, whose: str) -> dict[str, Any]:
    """Read the values that a text sets, by the names of a record's fields; UsageError for a bad or doubled one.

    Args:
        record: The record, whose settable fields are made by `setting`.
        text: The options, `NAME=VALUE` each, with commas between them; empty for none.
        whose: What has these options, for error messages.
    """
    kinds = {each.name: each.metadata[_KIND] for each in fields(record) if _KIND in each.metadata}
    found: dict[str, Any] = {}
    for name, value in assignments(text.split(",") if text else [], whose).items():
        if name not in kinds:
            near = nearest(name, kinds)
            suggestion = f"did you mean {near!r}? " if near else ""
            remedy = f"{suggestion}choose from {', '.join(sorted(kinds))}"
            raise UsageError(f"{whose} has no option {quoted(name, 40)}", remedy=remedy)
        try:
            found[name] = kinds[name].read(value)
        except ValueError as error:
            raise UsageError(f"the option {name} of {whose}: {str(error).rstrip('.')}") from None
    return found


def assignments(texts: Iterable[str], whose: str, form: str = "NAME=VALUE") -> dict[str, str]:
    """Read texts such as `NAME=VALUE`: the values, by name; UsageError for another form, or a name given twice."""
    found: dict[str, str] = {}
    for text in texts:
        name, _, value = (part.strip() for part in text.partition("="))
        if not (name and value):
            raise UsageError(f"{whose}: {quoted(text, 40)} sets nothing", remedy=f"write {form}")
        if name in found:
            raise UsageError(f"{whose}: {quoted(name, 40)} is given twice", remedy="leave one out")
        found[name] = value
    return found
