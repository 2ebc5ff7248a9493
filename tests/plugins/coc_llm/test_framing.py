"""What is sent: exactly the parts, in order."""

import pytest

from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_llm.choice import Choice
from coc_llm.framing import Framing, texts

SETTING = Setting.of(Registry.installed(), "hanoi", "pda", "symbolic")


def framing(text):
    return Framing.of(SETTING, Choice.parse(text, {}))


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
