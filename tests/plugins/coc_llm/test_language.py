"""The system text: made of a domain's own forms, for every domain and memory."""

from coc_core.errors import UsageError
from coc_core.plugin import DomainSpec, MemorySpec
from coc_core.setting import Setting
from coc_llm.framing import system_text
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY


def settings():
    for domain in REGISTRY.specs(DomainSpec):
        for memory in REGISTRY.specs(MemorySpec):
            for arith in ("symbolic", "inline"):
                try:
                    yield Setting.of(REGISTRY, domain.name, memory.name, arith)
                except UsageError:
                    continue


@for_each("setting", list(settings()))
def test_every_form_of_the_language_is_in_it(setting):
    text, domain, surface = system_text(setting.convention, True), setting.domain, setting.convention.surface
    for form in (*domain.instructions, *domain.actions, *domain.notes):
        assert form.template.text in text
    assert surface.prompt.text in text
    assert surface.write.text in text
    assert surface.registers is None or f"{surface.registers.text}   (always, and last)" in text
    assert ("each on a line of its own" in text) is (surface.join == "\n")
    assert text.isascii()
    assert text.endswith("Do what they do.")


def test_without_examples_none_are_announced():
    setting = Setting.of(REGISTRY, "hanoi", "pda", "symbolic")
    assert "Examples" not in system_text(setting.convention, False)
    assert (
        "  MOVE d={disk} src={src} dst={dst}   (Move the top disk of `src`, which is `disk`, to `dst`.)"
        in system_text(setting.convention, False)
    )
