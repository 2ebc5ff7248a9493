"""How one convention writes its steps: the surface that prompts and targets show to the model."""

from attrs import Factory, field, frozen

from coc_core.text.forms import Template


def _optional(text: str | None) -> Template | None:
    return None if text is None else Template(text)


@frozen
class Surface:
    """The templates of one convention in one notation.

    `prompt` is what the model reads. A target is what the step emits, then a `write` for each window written, then
    `registers`, if the convention has any. `join` stands between these parts, `close` between the last emission and
    the registers where nothing is written in between (the paper's symbolic setting prints a space there).
    """

    prompt: Template = field(converter=Template)
    write: Template = field(converter=Template)
    registers: Template | None = field(default=None, converter=_optional)
    join: str = "\n"
    close: str = Factory(lambda self: self.join, takes_self=True)
