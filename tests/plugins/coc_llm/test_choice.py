"""The choice of a model behind an endpoint: read strictly, and no key in it."""

import pytest

from coc_core.errors import UsageError
from coc_llm.choice import Choice, FolderChoice
from tests.support.for_each import for_each


def test_a_name_is_enough():
    choice = Choice.parse("gpt-x")
    assert (choice.name, choice.base_url, choice.api) == ("gpt-x", None, "chat")
    assert (choice.shots, choice.system, choice.deterministic) == (8, True, False)


def test_options_follow_the_name():
    text = "org/m:7b@v1,base_url=http://[::1]:8000/v1/,deterministic=yes,shots=2,temperature=0.7,timeout=5"
    choice = Choice.parse(text)
    assert (choice.name, choice.base_url) == ("org/m:7b@v1", "http://[::1]:8000/v1")
    assert (choice.deterministic, choice.shots, choice.temperature, choice.timeout) == (True, 2, 0.7, 5)


def test_a_model_that_completes_texts_gets_the_prompts_as_they_are_unless_it_is_shown_examples():
    bare, shown, silent = (Choice.parse(f"m,api=completions{more}") for more in ("", ",shots=3", ",system=no"))
    assert (bare.shots, bare.system) == (0, False)
    assert (shown.shots, shown.system) == (3, True)
    assert (silent.shots, silent.system) == (0, False)
    assert Choice.parse("m,api=completions,system=yes").system


def test_the_address_comes_from_the_environment_unless_it_is_given(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://here:1/v1")
    assert Choice.parse("m").base_url == "http://here:1/v1"
    assert Choice.parse("m,base_url=http://there:2/v1").base_url == "http://there:2/v1"
    monkeypatch.setenv("OPENAI_BASE_URL", "http://user:secret@here/v1")
    with pytest.raises(UsageError, match="the variable OPENAI_BASE_URL: it must be an address such as"):
        Choice.parse("m")


@for_each(
    ("text", "complaint"),
    [
        ("", "'' is not the name of a model; write --model openai:NAME"),
        ("two words", "'two words' is not the name of a model"),
        ("m\x1b", r"is not the name of a model"),
        ("m,shots", "the model openai:m: 'shots' sets nothing; write NAME=VALUE"),
        ("m,shot=1", "has no option 'shot'; did you mean 'shots'"),
        ("m,shots=1,shots=2", "'shots' is given twice"),
        ("m,shots=-1", "the option shots of the model openai:m: it must be from 0 to 100, not -1"),
        ("m,temperature=3", "it must be from 0 to 2, not 3"),
        ("m,api=edits", "it must be chat or completions"),
        ("m,key=sk-secret", "it must be the name of an environment variable"),
        ("m,base_url=ftp://here/v1", "it must be an address such as http"),
        ("m,base_url=http://user:key@here/v1", "without a key in it"),
        ("m,base_url=http://here/v1?key=1", "without a key in it"),
        ("m,base_url=http://here:port/v1", "an address"),
        ("m,base_url=here", "an address"),
    ],
)
def test_what_is_wrong_is_said(text, complaint):
    with pytest.raises(UsageError) as found:
        Choice.parse(text)
    assert complaint in str(found.value)
    assert "sk-secret" not in str(found.value) or "'sk-secret'" in str(found.value)


def test_the_key_comes_from_the_environment(monkeypatch):
    monkeypatch.setenv("MINE", "sk-2")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    for choice in ("m", "m,base_url=https://example.org/v1", "m,base_url=http://10.0.0.1/v1"):
        with pytest.raises(UsageError, match="there is no key for openai:m; set the variable OPENAI_API_KEY"):
            Choice.parse(choice).secret()
    for host in ("127.0.0.1:8000", "localhost", "[::1]:80"):  # a server on this machine may need none
        assert Choice.parse(f"m,base_url=http://{host}/v1").secret() == "none"
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    assert [Choice.parse(text).secret() for text in ("m", "m,key=MINE")] == ["sk-1", "sk-2"]
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1\n")
    with pytest.raises(UsageError, match="the variable OPENAI_API_KEY holds something that is not a key"):
        Choice.parse("m").secret()


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
def test_what_is_refused_of_a_folder(tmp_path, options, complaint):
    with pytest.raises(UsageError) as found:
        FolderChoice.parse(f"{tmp_path}{options}")
    assert complaint in str(found.value) + f"; {found.value.remedy}"


def test_a_chat_needs_a_template(tmp_path):
    with pytest.raises(UsageError, match="has no chat template"):
        FolderChoice.parse(f"{tmp_path},chat=yes").as_choice(False)
    with pytest.raises(UsageError, match="'' is not a folder"):
        FolderChoice.parse("")
