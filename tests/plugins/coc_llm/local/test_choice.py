"""The choice of a model in a folder."""

import pytest

from coc_core.errors import UsageError
from coc_llm.local.choice import FolderChoice


def test_defaults_are_those_of_endpoints(tmp_path):
    choice = FolderChoice.parse(str(tmp_path))
    chat, plain = choice.as_choice(True), choice.as_choice(False)
    assert (chat.api, chat.shots, chat.system, chat.max_tokens) == ("chat", 8, True, 1024)
    assert (plain.api, plain.shots, plain.system) == ("completions", 0, False)
    assert FolderChoice.parse(f"{tmp_path},shots=2").as_choice(False).system


def test_options_are_read(tmp_path):
    choice = FolderChoice.parse(f"{tmp_path},chat=no,batch=3,dtype=float32,temperature=0.5,system=yes,max_tokens=9")
    assert (choice.batch, choice.dtype, choice.temperature) == (3, "float32", 0.5)
    framing = choice.as_choice(True)
    assert (framing.api, framing.system, framing.shots, framing.max_tokens) == ("completions", True, 0, 9)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (",batch=0", "the option batch of the model hf:"),
        (",base_url=x", "has no option 'base_url'"),
        (",temperature=0", "the option temperature of the model"),
        ("/nowhere", "is not a folder; write --model hf:FOLDER"),
    ],
)
def test_what_is_refused(tmp_path, options, complaint):
    with pytest.raises(UsageError) as found:
        FolderChoice.parse(f"{tmp_path}{options}")
    assert complaint in str(found.value) + f"; {found.value.remedy}"


def test_a_chat_needs_a_template(tmp_path):
    with pytest.raises(UsageError, match="has no chat template"):
        FolderChoice.parse(f"{tmp_path},chat=yes").as_choice(False)
    with pytest.raises(UsageError, match="'' is not a folder"):
        FolderChoice.parse("")
