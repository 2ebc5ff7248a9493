"""Arithmetics that keep every promise, and some that break one each: the check that finds it, and what it says."""

from coc_core.arithmetic import ArithmeticOracle, Symbolic
from coc_core.errors import ArithmeticFault
from coc_learn.addresses.learned import Learned


class Sound(ArithmeticOracle):
    """Exact addition of registers and numbers."""

    name = "faulty"
    notation = "symbolic"

    def _resolve(self, expressions, registers):
        return tuple(self.number(expression, registers) for expression in expressions)

    def number(self, expression, registers):
        (found,) = Symbolic().resolve([expression], registers)
        return found


class SoundAsking(Learned):
    """Asks a model."""

    name = "faulty"


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


class Evaluates(Sound):
    """Leaves it to Python."""

    def number(self, expression, registers):
        return eval(expression, {}, dict(registers))


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


class Floats(Sound):
    def number(self, expression, registers):
        return int(float(super().number(expression, registers)))


class GivesAList(Sound):
    def _resolve(self, expressions, registers):
        return list(super()._resolve(expressions, registers))


class SixteenAtATime(Sound):
    def _resolve(self, expressions, registers):
        return super()._resolve(expressions[:16], registers) + (0,) * (len(expressions) - 16)


FAULTS = [
    (Floats, "numbers_are_right", "the result is 9007199254740992, not 9007199254740993"),
    (GivesAList, "inputs_are_unchanged", "`_resolve` returned a value of type list, not a tuple"),
    (SixteenAtATime, "numbers_do_not_depend_on_order", "in another order, or with others, the results are"),
    (Remembers, "numbers_do_not_depend_on_order", "in another order, or with others, the results are"),
    (ChangesRegisters, "inputs_are_unchanged", "of what it was given"),
    (Evaluates, "malformed_expressions_are_faults", "SyntaxError"),
    (ComplainsAtLength, "malformed_expressions_are_faults", "is not one plain line: 'what is\\nthat?'"),
    (WrongInLongRuns, "numbers_do_not_depend_on_order", "the results are ("),
]
