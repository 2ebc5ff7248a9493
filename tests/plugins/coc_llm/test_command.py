"""`coc prompt`, on the command line."""

import json

import pytest

from tests.support.fake_endpoint import chat, endpoint


def test_what_is_sent_is_shown_to_the_letter(coc):
    policy = ("-d", "hanoi", "-n", 4)
    with endpoint(then=lambda body: (200, chat("nonsense"), {})) as fake:
        model = f"openai:m,base_url={fake.url},shots=3"
        shown = coc("prompt", *policy, "--model", model, "--json")
        assert coc("run", *policy, "--model", model).code == 1
        assert fake.bodies == [json.loads(shown.out)["request"]]
        assert json.loads(shown.out)["tokens"] is None
    text = coc("prompt", *policy, "--model", model).out
    for message in fake.bodies[0]["messages"]:
        assert f"[{message['role']}]\n{message['content']}\n" in text
    count = sum(len(message["content"]) for message in fake.bodies[0]["messages"])
    assert text.splitlines()[-1].startswith(f"8 texts, {count:,} characters, {{")


def test_a_later_step_is_that_of_the_right_run(coc):
    shown = json.loads(coc("prompt", "-d", "hanoi", "-n", 3, "--model", "reference", "--step", 3, "--json").out)
    assert shown["prompt"] == "INSTR CALL n=1 src=1 dst=3 aux=2"
    assert (shown["request"], shown["tokens"]) == (None, None)
    assert coc("prompt", "-d", "hanoi", "-n", 3, "--model", "reference").out == (
        "[prompt]\nINSTR CALL n=3 src=1 dst=3 aux=2\n\n1 text, 32 characters\n"
    )


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--step", 0), "there is no step 0; steps are counted from 1"),
        (("--step", 1000), "the run ends after 10 steps; choose an earlier one"),
        (("--model", "nobody"), "unknown model 'nobody'"),
    ],
)
def test_a_prompt_that_there_is_not(coc, options, complaint):
    done = coc("prompt", "-d", "hanoi", "-n", 3, "--model", "reference", *options)
    assert done.code == 2
    assert complaint in done.err


def test_tokens_are_counted_where_there_is_a_tokenizer(coc):
    assert coc("prompt", "-d", "hanoi", "--model", "hanoi-pda").out.endswith("1 text, 32 characters, 13 tokens\n")
