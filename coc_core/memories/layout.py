"""Layouts: how people are shown a memory, so that nobody who draws one has to know which memory it is."""

from collections.abc import Callable, Mapping, Sequence

from attrs import Factory, frozen

Register = Callable[[Sequence[str], int], int]
"""The value of a register, computed from the windows and the pointer."""


@frozen
class Layout:
    """How a memory is drawn. The defaults suit any memory: its windows in order, and the pointer where it is.

    Attributes:
        newest_first: Draw the last window at the top, as the top of a stack is drawn.
        registers: What to show besides the pointer: each register's name, and the function that computes its value
            from the windows, oldest first, and the pointer, -1 once the memory has halted.
        waiting: The range of indices of the windows that are still to be run, computed from the same two; the others
            are drawn faded. None if the windows do not show it, and then none is faded.
    """

    newest_first: bool = False
    registers: Mapping[str, Register] = Factory(dict)
    waiting: Callable[[Sequence[str], int], range] | None = None

    def register_values(self, windows: Sequence[str], pointer: int) -> tuple[int, ...]:
        """Return the values of the registers, in their order."""
        return tuple(register(windows, pointer) for register in self.registers.values())

    def waiting_windows(self, windows: Sequence[str], pointer: int) -> range | None:
        """Return the indices of the windows that are still to be run; None if the memory does not tell."""
        return None if self.waiting is None else self.waiting(windows, pointer)

    def status(self, windows: Sequence[str], pointer: int) -> str:
        """Return where the memory is, in a few words: the pointer and the registers."""
        where = "halted" if pointer < 0 else f"pointer at {pointer}"
        return ", ".join([where, *map("{}={}".format, self.registers, self.register_values(windows, pointer))])
