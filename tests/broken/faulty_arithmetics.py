"""Arithmetics that keep every promise, and some that break one each: the check that finds it, and what it says."""

from coc_core.arithmetic import ArithmeticOracle, Inexact, Symbolic
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


class LosesTheCarry(Sound):
    def number(self, expression, registers):
        found = super().number(expression, registers)
        return found - 10 if "+" in expression and found > 0 == found % 10 else found


class Remembers(Sound):
    """An expression has the number that it had the first time."""

    def __init__(self):
        self.known = {}

    def number(self, expression, registers):
        return self.known.setdefault(expression, super().number(expression, registers))


class SortsThem(Sound):
    """The numbers of a batch come in their own order."""

    def _resolve(self, expressions, registers):
        return tuple(sorted(super()._resolve(expressions, registers)))


class ChangesRegisters(Sound):
    def number(self, expression, registers):
        found = super().number(expression, registers)
        if isinstance(registers, dict):
            registers["ACC"] = found
        return found


class WantsToWrite(Sound):
    def number(self, expression, registers):
        found = super().number(expression, registers)
        kept = registers.get("PTR", found)
        registers["PTR"] = found
        registers["PTR"] = kept
        return found


class Evaluates(Sound):
    """Leaves it to Python."""

    def number(self, expression, registers):
        return eval(expression, {}, dict(registers))


class ReadsOtherDigits(Sound):
    """Takes any digits of any script."""

    def number(self, expression, registers):
        try:
            return int(expression)
        except ValueError:
            return super().number(expression, registers)


class ComplainsAtLength(Sound):
    def number(self, expression, registers):
        try:
            return super().number(expression, registers)
        except ArithmeticFault:
            raise ArithmeticFault("what is\nthat?") from None


class BlamesItself(Sound):
    def _resolve(self, expressions, registers):
        return Inexact.of(super()._resolve(expressions, registers), f"{expressions} may be wrong")


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


class AddsOneDigit(Sound):
    """Knows only the last digit of what is added."""

    def number(self, expression, registers):
        found = super().number(expression, registers)
        _, plus, added = expression.rpartition("+")
        return found - int(added) // 10 * 10 if plus else found


class GivesAList(Sound):
    def _resolve(self, expressions, registers):
        return list(super()._resolve(expressions, registers))


class GivesATruth(Sound):
    def number(self, expression, registers):
        found = super().number(expression, registers)
        return True if found == 1 else found


class SixteenAtATime(Sound):
    def _resolve(self, expressions, registers):
        return super()._resolve(expressions[:16], registers) + (0,) * (len(expressions) - 16)


FAULTS = {
    Floats: ("numbers_are_right", "the result is 9007199254740992, not 9007199254740993"),
    AddsOneDigit: ("numbers_are_right", "the result is 3, not 13"),
    GivesAList: ("inputs_are_unchanged", "`_resolve` returned a value of type list, not a tuple of ints"),
    GivesATruth: ("inputs_are_unchanged", "`_resolve` has a value of type bool among its numbers, not an int"),
    SixteenAtATime: ("numbers_do_not_depend_on_order", "in another order, or with others, the results are"),
    LosesTheCarry: ("numbers_are_right", "the result is 0, not 10"),
    Remembers: ("numbers_do_not_depend_on_order", "in another order, or with others, the results are"),
    SortsThem: ("numbers_do_not_depend_on_order", "in another order, or with others, the results are"),
    ChangesRegisters: ("inputs_are_unchanged", "of what it was given"),
    WantsToWrite: ("inputs_are_unchanged", "TypeError"),
    Evaluates: ("malformed_expressions_are_faults", "SyntaxError"),
    ReadsOtherDigits: ("malformed_expressions_are_faults", "'\\u0661' is taken for a number"),
    ComplainsAtLength: ("malformed_expressions_are_faults", "is not one plain line: 'what is\\nthat?'"),
    BlamesItself: ("no_mistake_is_claimed", "it claims a mistake"),
    WrongInLongRuns: ("runs_match_exact_arithmetic", "with exact numbers it is"),
}
