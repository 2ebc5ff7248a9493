"""Every text that is parsed is the text that its meaning is formatted as: no number has a second spelling."""

import random

from coc_check import hostile
from coc_core.errors import StepFault
from coc_core.plugin import DomainSpec, MemorySpec
from coc_core.setting import Setting
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY

DIGITS = "0123456789"
SETTINGS = [
    (domain.name, memory.name, arith)
    for domain in REGISTRY.specs(DomainSpec)
    for memory in REGISTRY.specs(MemorySpec)
    if domain.memories is None or memory.name in domain.memories
    for arith in ("inline", "symbolic")
]


def variants(text, rng):
    """A text with a number spelled otherwise, or with a piece of a hostile one."""
    places = [at for at, character in enumerate(text) if character in DIGITS] or [0]
    at = rng.choice(places)
    for put in ("0", "+", "-", "_", " ", "٣", "１", "-0", "0x", "1e", *hostile.NUMBERS):
        yield text[:at] + put + text[at:]
        yield text[:at] + put + text[at + 1 :]
        yield text + put
    yield from hostile.TEXTS


@for_each("name", sorted({domain for domain, _, _ in SETTINGS}))
def test_each_form_of_a_domain_has_one_spelling(name):
    rng, domain = random.Random(name), Setting.of(REGISTRY, name, None, "symbolic").domain
    problem = domain.problem(4)
    step = domain.expand(domain.start(problem))
    right = [domain.problems.format(problem), domain.instructions.format(domain.start(problem))]
    right += [forms.format(each) for each in step.emits for forms in (domain.actions, domain.notes) if each in forms]
    for text in right:
        for each in (text, *variants(text, rng)):
            for forms in (domain.problems, domain.instructions, domain.actions, domain.notes):
                try:
                    meaning = forms.parse(each)
                except ValueError:
                    continue
                assert forms.format(meaning) == each


@for_each(("domain", "memory", "arith"), SETTINGS)
def test_each_prompt_and_target_has_one_spelling(domain, memory, arith):
    rng, setting = random.Random(domain), Setting.of(REGISTRY, domain, memory, arith)
    convention = setting.convention
    prompt = setting.machine(setting.domain.problem(4)).peek()
    target = convention.target_for(prompt)
    for text in (target, *variants(target, rng), *variants(target, rng)):
        try:
            parsed = convention.parse(text)
        except StepFault:
            continue
        assert convention.format(parsed.target) == text
    for text in (prompt, *variants(prompt, rng), *variants(prompt, rng)):
        try:
            instruction, registers = convention.parse_prompt(text)
        except ValueError:
            continue
        written = {**{name: str(value) for name, value in registers.items()}}
        written["instruction"] = setting.domain.instructions.format(instruction)
        assert convention.surface.prompt.format(**written) == text
