"""`coc prompt` and `coc probe`, on the command line."""

import json

import pytest

from tests.support.fake_endpoint import chat, completion, endpoint, refusal


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


def findings(coc, fake, options="api=completions"):
    model = f"openai:m,base_url={fake.url},retries=0,{options}"
    done = coc("probe", "-d", "hanoi", "-n", 3, "--model", model, "--json")
    assert done.code == 0, done.err
    return {each["feature"]: each["verdict"] for each in json.loads(done.out)["findings"]}


LONG = "PUSH CALL n=2 src=2 dst=3 aux=1"


def test_an_endpoint_that_heeds_everything(coc):
    def respond(body):
        known = {"model", "temperature", "max_tokens", "prompt", "stop", "n", "logprobs"}
        if set(body) - known:
            return 400, refusal("what is that?"), {}
        text = LONG[: 4 if body["max_tokens"] == 1 else None] + (" x" if body["temperature"] else "")
        text = text.partition(body.get("stop", ["@"])[0])[0]
        copies = body.get("n", 1) * (len(body["prompt"]) if isinstance(body["prompt"], list) else 1)
        choice = {"text": text, "finish_reason": "stop"} | ({"logprobs": {}} if "logprobs" in body else {})
        return 200, {"choices": [choice] * copies, "usage": {"prompt_tokens": 13}}, {}

    with endpoint(then=respond) as fake:
        found = findings(coc, fake)
    assert found.pop("an unknown key") == "refused"
    assert len(found) == 9
    assert set(found.values()) == {"yes"}


@pytest.mark.parametrize(("options", "form"), [("api=completions", completion), ("api=chat", chat)])
def test_an_endpoint_that_ignores_everything(coc, options, form):
    with endpoint(then=lambda body: (200, form(LONG), {})) as fake:
        found = findings(coc, fake, options)
    assert found.pop("temperature") == "unclear"
    assert (found.pop("a list of models"), found.pop("a response")) == ("yes", "yes")
    assert set(found.values()) == {"ignored"}
    assert ("lists of prompts" in found) is (form is completion)


def test_the_interfaces_of_an_endpoint_are_found_out(coc):
    refused = (404, refusal("no such path"), {})
    for kinds in ({"messages"}, {"prompt"}, {"messages", "prompt"}):

        def respond(body, kinds=kinds):
            answer = completion(LONG) if "prompt" in body else chat(LONG)
            return (200, answer, {}) if kinds & set(body) else refused

        with endpoint(then=respond) as fake:
            found = findings(coc, fake, "shots=0")
        assert found["chat"] == ("yes" if "messages" in kinds else "refused")
        assert found["completions"] == ("yes" if "prompt" in kinds else "refused")
        assert ("lists of prompts" in found) is ("messages" not in kinds)
    with endpoint((200, chat(LONG), {}), (500, refusal("oh"), {}), then=lambda _: (200, chat(LONG), {})) as fake:
        assert findings(coc, fake, "shots=0")["completions"] == "failed"
    with endpoint((500, refusal("oh"), {})) as fake:
        done = coc("probe", "-d", "hanoi", "--model", f"openai:m,base_url={fake.url},retries=0")
    assert (done.code, len(fake.bodies)) == (8, 1)


def test_an_endpoint_that_refuses_all_but_the_plain_request(coc):
    script = [(200, completion(""), {}), (404, refusal("no such path"), {})]
    with endpoint(*script, then=lambda _: (400, refusal("no"), {})) as fake:
        found = findings(coc, fake)
    assert set(found.values()) == {"refused", "yes", "ignored"}
    assert found["a list of models"] == found["n"] == "refused"


def test_what_an_endpoint_fails_at_does_not_end_a_probe(coc):
    script = [(200, completion(LONG), {}), (500, refusal("no cache of models"), {})]
    with endpoint(*script, then=lambda _: (500, refusal("oh"), {})) as fake:
        found = findings(coc, fake)
    assert found["a list of models"] == found["logprobs"] == "failed"
    assert found["a response"] == "yes"


def test_a_response_that_is_too_short_shows_nothing(coc):
    with endpoint(then=lambda body: (200, completion(""), {})) as fake:
        found = findings(coc, fake)
    assert found["stop"] == found["max_tokens"] == "unclear"
    with endpoint(then=lambda body: (200, {"choices": 1}, {})) as fake:
        assert findings(coc, fake)["n"] == "ignored"


def test_an_endpoint_that_refuses_a_plain_request(coc):
    with endpoint(then=lambda _: (400, refusal("no such model"), {})) as fake:
        done = coc("probe", "-d", "hanoi", "--model", f"openai:m,base_url={fake.url}")
    assert (done.code, done.err) == (2, f"coc: error: {fake.url} refuses a plain request: no such model\n")


def test_only_an_endpoint_is_probed(coc):
    done = coc("probe", "-d", "hanoi", "--model", "reference")
    assert (done.code, done.err) == (
        2,
        "coc: error: 'reference' is not behind an endpoint; choose --model openai:NAME\n",
    )


@pytest.mark.slow
def test_the_server_of_coc_is_probed(coc, served_hanoi):
    done = coc("probe", "-d", "hanoi", "--model", served_hanoi)
    assert done.code == 0, done.err
    rows = {line[:16].strip(): line for line in done.out.splitlines()}
    assert "refused" in rows["temperature"]
    assert "refused" in rows["an unknown key"]
    supported = ("max_tokens", "stop", "n", "logprobs", "lists of prompts", "counts of tokens")
    assert [name for name in supported if rows[name].split(name, 1)[1].split()[0] != "supported"] == []
