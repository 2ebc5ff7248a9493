"""Arithmetics that keep every promise, and some that break one each: the check that finds it, and what it says."""

from coc_core.arithmetic import ArithmeticOracle, Symbolic
from coc_core.errors import ArithmeticFault


class Sound(ArithmeticOracle):
    """Exact addition of registers and numbers."""

    name = "faulty"
    notation = "symbolic"

    def _resolve(self, expressions, registers):
        return tuple(self.number(expression, registers) for expression in expressions)

    def number(self, expression, registers):
        (found,) = Symbolic().resolve([expression], registers)
        return found


class Remembers(Sound):
    """An expression has the number that it had the first time."""

    def __init__(self):
        self.known = {}

    def number(self, expression, registers):
        return self.known.setdefault(expression, super().number(expression, registers))


class ChangesRegisters(Sound):
    def number(self, expression, registers):
        found = super().number(expression, registers)
        if isinstance(registers, dict):
            registers["ACC"] = found
        return found


class ComplainsAtLength(Sound):
    def number(self, expression, registers):
        try:
            return super().number(expression, registers)
        except ArithmeticFault:
            raise ArithmeticFault("what is\nthat?") from None


class WrongInLongRuns(Sound):
    """Tires of it."""

    def __init__(self):
        self.asked = 0

    def number(self, expression, registers):
        self.asked += 1
        return super().number(expression, registers) + (self.asked == 20)


def _sixteen(self, expressions, registers):
    return Sound._resolve(self, expressions[:16], registers) + (0,) * (len(expressions) - 16)


VARIANTS = {
    "Evaluates": {"number": lambda self, expression, registers: eval(expression, {}, dict(registers))},
    "Floats": {"number": lambda self, expression, registers: int(float(Sound.number(self, expression, registers)))},
    "GivesFloats": {"_resolve": lambda self, *given: (*map(float, Sound._resolve(self, *given)),)},
    "GivesAList": {"_resolve": lambda self, expressions, registers: [*Sound._resolve(self, expressions, registers)]},
    "SixteenAtATime": {"_resolve": _sixteen},
}
globals().update({name: type(name, (Sound,), changes) for name, changes in VARIANTS.items()})

FAULTS = [
    ("Floats", "numbers_are_right", "the results are (9007199254740992,), not (9007199254740993,)"),
    ("GivesFloats", "numbers_are_right", "the results are (-1.0,), not (-1,)"),
    ("GivesAList", "numbers_are_right", "`_resolve` returned a value of type list, not a tuple"),
    ("SixteenAtATime", "numbers_are_right", "the results are"),
    ("Remembers", "numbers_are_right", "the results are"),
    ("ChangesRegisters", "numbers_are_right", "of what it was given"),
    ("Evaluates", "malformed_expressions_are_faults", "SyntaxError"),
    ("ComplainsAtLength", "malformed_expressions_are_faults", "is not one plain line: 'what is\\nthat?'"),
    ("WrongInLongRuns", "numbers_are_right", "the results are ("),
]
FAULTS = [(globals()[part], check, complaint) for part, check, complaint in FAULTS]
