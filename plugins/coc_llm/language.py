"""The system text: the language of a setting's prompts and targets, generated from its forms and templates."""

from collections.abc import Iterable, Iterator
from typing import Any

from coc_core.memories import Convention
from coc_core.text import Forms

_BEGINNING = """\
You carry out one step of a computation. You are given a prompt and respond with its target, and with nothing else: no \
explanation, no greeting, no code fence, and no space or empty line before or after it.

Names in braces stand for values. Words, punctuation and spaces are written exactly as they are here, and numbers in \
decimal without leading zeros. The same prompt always has the same target."""


def system_text(convention: Convention[Any, Any], shots: bool) -> str:
    """Return the text that explains what prompts and targets look like, before examples if there are `shots`. It states
    their form, with the meaning of each instruction and action where its class has a docstring; examples show what a
    step does.
    """
    surface, domain = convention.surface, convention.domain
    parts = [f"OUTPUT {each}" for each in _forms(domain.actions)] + list(_forms(domain.notes))
    parts.append(surface.write.text)
    if surface.registers is not None:
        parts.append(f"{surface.registers.text}   (always, and last)")
    join = "each on a line of its own" if surface.join == "\n" else "separated by one space"
    paragraphs = [
        _BEGINNING,
        _listing("A prompt has the form", [surface.prompt.text]),
        _listing("where {instruction} is one of", _forms(domain.instructions)),
        _listing(f"A target has one or more of these parts, {join}, in the order in which the step makes them", parts),
    ]
    if shots:
        paragraphs.append("Examples follow. Do what they do.")
    return "\n\n".join(paragraphs)


def _listing(title: str, lines: Iterable[str]) -> str:
    return "\n".join([f"{title}:", *(f"  {line}" for line in lines)])


def _forms(forms: Forms[Any]) -> Iterator[str]:
    """Yield the template of each form, with the summary of its class."""
    for form in forms:
        summary = (form.record.__doc__ or "").strip().partition("\n")[0]
        yield form.template.text + (f"   ({summary})" if summary else "")
