"""Results: what a step hands to the instruction that waits for it, which is the next one on the stack.

    CALL merge.4 b=I2 GOT ?                an instruction that waits for a result
    CALL merge.4 b=I2 GOT I7               the same as the model reads it

This rule is about texts, so that a memory needs to know nothing of a domain.
"""

WAITS = " GOT ?"
"""The end of an instruction that waits for a result, which is put in place of the `?`."""


def with_result(instruction: str, result: str) -> str | None:
    """The text of an instruction that has got its result; None if it waits for none."""
    return instruction[:-1] + result if instruction.endswith(WAITS) else None
