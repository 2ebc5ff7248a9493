"""What is sent: exactly the parts, in order; the language, of a domain's own forms; and the teacher's examples."""

import pytest

from coc_core.errors import UsageError
from coc_core.plugin import DomainSpec, MemorySpec, Registry
from coc_core.setting import Setting
from coc_learn.datasets import sampling_buckets, teacher_pairs
from coc_llm.choice import Choice
from coc_llm.framing import Framing, Shots, system_text, texts
from coc_problems import Split, sample_problems
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY

SETTING = Setting.of(Registry.installed(), "hanoi", "pda", "symbolic")


def framing(text):
    return Framing.of(SETTING, Choice.parse(text))


def test_a_chat_has_the_examples_as_turns():
    framed = framing("m,shots=2")
    body = framed.body("p")
    first, second = framed.shots.before("p")
    assert texts(body) == [
        ("system", framed.system),
        ("user", first.prompt),
        ("assistant", first.target),
        ("user", second.prompt),
        ("assistant", second.target),
        ("user", "p"),
    ]
    assert body.keys() == {"model", "temperature", "max_tokens", "messages"}


def test_a_text_has_them_in_a_row():
    framed = framing("m,api=completions,shots=1")
    (pair,) = framed.shots.before("p")
    body = framed.body("p")
    shown = f"PROMPT\n{pair.prompt}\n\nTARGET\n{pair.target}\n\nPROMPT\np\n\nTARGET\n"
    assert texts(body) == [("prompt", f"{framed.system}\n\n{shown}")]
    assert body["stop"] == ["\n\nPROMPT\n"]


@pytest.mark.parametrize("options", ["api=completions", "api=chat,system=no,shots=0"])
def test_a_prompt_may_go_alone(options):
    body = framing(f"m,{options}").body("p")
    assert [content for _, content in texts(body)] == ["p"]
    assert "stop" not in body


def test_no_target_holds_the_text_that_ends_one():
    framed = framing("m,api=completions,shots=60")
    assert all(framed.body("p")["stop"][0] not in pair.target for pair in framed.shots.pairs)


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


def setting(*names):
    return Setting.of(REGISTRY, *names)


@for_each("names", [("hanoi", "pda", "symbolic"), ("pancake", "tape", "inline"), ("blocks", "pda", "inline")])
@for_each("count", [1, 5, 12])
def test_examples_are_the_teachers(names, count):
    where = setting(*names)
    shots = Shots.of(where, count)
    assert len({pair.prompt for pair in shots.pairs}) == len(shots.pairs) == count + 1
    assert all(where.convention.target_for(pair.prompt) == pair.target for pair in shots.pairs)
    assert Shots.of(where, count) == shots


def test_the_prompt_at_hand_is_no_example():
    shots = Shots.of(setting("hanoi", "pda", "symbolic"), 4)
    for pair in shots.pairs:
        assert pair.prompt not in [each.prompt for each in shots.before(pair.prompt)]
        assert len(shots.before(pair.prompt)) == 4
    assert list(shots.before("another")) == list(shots.pairs[:4])


def test_the_examples_come_from_problems_for_training():
    where = setting("pancake", "pda", "symbolic")
    drawn = [each.problem for n in range(1, 13) for each in sample_problems(where.domain, n, 4, split=Split.train)]
    learnt = {pair.prompt for pair in teacher_pairs(where, drawn)}
    assert {pair.prompt for pair in Shots.of(where, 30).pairs} <= learnt


def test_few_examples_cover_many_kinds_of_steps():
    where = setting("hanoi", "pda", "symbolic")
    pairs = list(teacher_pairs(where, [where.domain.problem(n) for n in range(1, 13)]))

    def kinds(chosen):
        return len({bucket for pair in chosen for bucket in sampling_buckets(pair)})

    shots = Shots.of(where, 8)
    assert kinds(shots.before("")) > kinds(pairs[:8])
    assert {pair.prompt.split()[1] for pair in shots.before("")} == {"CALL", "MOVE"}


def test_there_may_be_none_or_too_few():
    where = setting("hanoi", "pda", "symbolic")
    assert Shots.of(where, 0).before("p") == []
    with pytest.raises(UsageError, match=r"1,000 examples can't be chosen from \d+ pairs; lower shots"):
        Shots.of(where, 1000)
