"""The surface of a convention: the wording and layout of its prompts and targets."""

from attrs import Factory, field, frozen

from coc_core.text.template import Template


def _optional(text: str | None) -> Template | None:
    return None if text is None else Template(text)


@frozen
class Surface:
    """The templates of one convention in one notation.

    A target consists of what the step emits, a `write` for each new window, and `registers`, in this order.

    Attributes:
        prompt: What the model reads.
        write: How a target writes one window.
        registers: How a target writes the registers, None if the convention has none.
        join: The separator between the parts of a target.
        close: The separator between the last emission and the registers of a target that writes no window. The paper's
            symbolic setting has a space there.
    """

    prompt: Template = field(converter=Template)
    write: Template = field(converter=Template)
    registers: Template | None = field(default=None, converter=_optional)
    join: str = "\n"
    close: str = Factory(lambda self: self.join, takes_self=True)
