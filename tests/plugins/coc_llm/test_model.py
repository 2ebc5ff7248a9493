"""A model behind an endpoint, in the loop: right responses solve, others are faults, and none is paid for twice."""

import threading

import pytest

from coc_core.errors import LimitFault, ProtocolFault, ServiceError, UsageError
from coc_core.execution import Cached, Sequential
from coc_core.models import call_each
from coc_core.setting import Setting
from tests.support.fake_endpoint import chat, completion, endpoint, refusal
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY


def setting(domain="hanoi", memory="pda", arith="symbolic"):
    return Setting.of(REGISTRY, domain, memory, arith)


def opened(fake, options="api=completions", where=None):
    return (where or setting()).model(f"openai:m,base_url={fake.url},retries=0,{options}")


def policy(where, wrong=()):
    """An endpoint's responses: the policy's targets, except for some prompts, which have responses of their own."""

    def respond(body):
        prompt = body["prompt"] if "prompt" in body else body["messages"][-1]["content"]
        form = completion if "prompt" in body else chat
        found = dict(wrong).get(prompt)
        return found or (200, form(where.convention.target_for(prompt)), {})

    return respond


@pytest.mark.parametrize("executor", [Sequential, Cached])
@pytest.mark.parametrize("options", ["api=completions,deterministic=yes", "api=chat,shots=2,deterministic=yes"])
def test_a_model_that_is_right_solves(executor, options):
    where = setting()
    with endpoint(then=policy(where)) as fake:
        (outcome,) = executor().run([where.machine(where.domain.problem(3))], opened(fake, options))
    assert outcome.status == "solved"
    assert len(fake.bodies) == outcome.model_calls


def test_several_requests_are_under_way_at_once_and_no_more_than_allowed():
    together = threading.Barrier(3, timeout=20)

    def respond(body):
        together.wait()
        return 200, completion(body["prompt"] + "!"), {}

    with endpoint(then=respond) as fake:
        prompts = [f"p{number}" for number in range(9)]
        assert opened(fake, "api=completions,concurrency=3").complete(prompts) == [f"{p}!" for p in prompts]
    assert fake.most_busy == 3


@pytest.mark.parametrize(
    ("document", "kind", "message"),
    [
        (completion("PUSH CA", "length"), LimitFault, "the response was cut off after 1,024 tokens (max_tokens)"),
        (completion("", "content_filter"), ProtocolFault, "the response ended with the reason 'content_filter'"),
        (chat(None, "tool_calls"), ProtocolFault, "the response ended with the reason 'tool_calls'"),
    ],
)
def test_a_response_is_taken_whole_or_is_a_fault(document, kind, message):
    with endpoint((200, document, {})) as fake, pytest.raises(kind) as found:
        opened(fake).complete(["p"])
    assert found.value.message == message


@pytest.mark.parametrize("reason", [None, "stop", "eos"])
def test_a_response_that_ends_by_itself_is_taken_as_it_is(reason):
    with endpoint((200, completion(" x \n", reason), {})) as fake:
        assert opened(fake).complete(["p"]) == [" x \n"]
    with endpoint((200, chat(None, reason), {})) as fake:
        assert opened(fake).complete(["p"]) == [""]


@for_each(
    "document",
    [
        {"choices": [{"text": 1}], "error": "overloaded"},
        refusal("overloaded"),
        {"error": "overloaded"},
        {"choices": [{"message": {"content": ""}, "error": {"message": "overloaded"}}]},
    ],
)
def test_an_error_in_place_of_a_response_keeps_the_words_of_the_server(document):
    with endpoint((200, document, {})) as fake, pytest.raises(ServiceError, match=r"one response: overloaded$"):
        opened(fake).complete(["p"])


THOUGHT = "I think: PUSH or <think>?\n"


@for_each(
    "content",
    [
        [{"type": "text", "text": " x "}, {"type": "text", "text": "\n"}],
        [{"type": "thinking", "thinking": [{"type": "text", "text": THOUGHT}]}, {"type": "text", "text": " x \n"}],
        [" x ", "\n"],
        f"<think>{THOUGHT}</think>\n\n x \n",
        f"\n<think>\n{THOUGHT}</think> x \n",
        f"{THOUGHT}</think>\r\n x \n",
    ],
)
def test_what_a_model_says_is_found_behind_its_reasoning(content):
    with endpoint((200, chat(content), {})) as fake:
        assert opened(fake, "api=chat").complete(["p"]) == [" x \n"]


def test_reasoning_without_a_target_is_a_fault():
    for reason, fault, message in (
        ("stop", ProtocolFault, "the response begins with <think> and has no </think>"),
        ("length", LimitFault, "cut off after 1,024 tokens (max_tokens), while the model was reasoning"),
    ):
        with endpoint((200, chat(f"<think>{THOUGHT}", reason), {})) as fake, pytest.raises(fault) as found:
            opened(fake, "api=chat").complete(["p"])
        assert found.value.message.endswith(message)
    image = [{"type": "image_url", "image_url": "x"}]
    with endpoint((200, chat(image), {})) as fake, pytest.raises(ServiceError, match="without one response"):
        opened(fake, "api=chat").complete(["p"])


def test_responses_beside_a_fault_are_not_paid_for_twice():
    wrong = {"p3": (200, completion("", "length"), {})}
    with endpoint(then=lambda body: wrong.get(body["prompt"], (200, completion(body["prompt"]), {}))) as fake:
        model = opened(fake)
        prompts = [f"p{number}" for number in range(8)]
        responses = call_each(model, prompts)
        assert [str(response) for response in responses[:3]] == prompts[:3]
        assert isinstance(responses[3], LimitFault)
        assert len(fake.bodies) == 8
        assert model.complete(["p1"]) == ["p1"]
        assert len(fake.bodies) == 9


def test_an_error_ends_a_batch():
    script = [(500, refusal("oh"), {})] * 2
    with endpoint(*script) as fake, pytest.raises(ServiceError, match="status 500: oh"):
        opened(fake, "api=completions,concurrency=2").complete(["p"] * 50)
    assert len(fake.bodies) < 50


def test_the_temperature_can_be_chosen():
    with endpoint() as fake:
        opened(fake).complete(["p"])
        warm = opened(fake, "api=completions,temperature=0.5")
        warm.complete(["p"])
        warm.sample(["p"], [0])
        opened(fake).sample(["p"], [0])
        with pytest.raises(UsageError, match="at temperature 0 there is nothing to vote on"):
            opened(fake, "api=completions,temperature=0").sample(["p"], [0])
    assert [body["temperature"] for body in fake.bodies] == [0, 0.5, 0.5, 1]


def test_a_model_tells_which_it_is():
    with endpoint() as fake:
        model = opened(fake, "shots=3")
        assert model.describe() == f"{model.choice} (chat at {fake.url}, 3 examples)"
        assert model.choice.startswith(f"openai:m,base_url={fake.url},")
        assert model.record["endpoint"] == fake.url
        assert not model.deterministic
        assert opened(fake, "deterministic=yes").deterministic


# ── on the command line ───────────────────────────────────────────────────────────────────────────────────────────────


def test_the_key_is_in_nothing_that_is_written(coc, monkeypatch, tmp_path):
    key = "sk-very-secret-0123456789"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    monkeypatch.chdir(tmp_path)
    answers = {
        "right": (policy(setting()), 0),
        "refused": (lambda _: (401, refusal(f"wrong key {key}"), {}), 2),
        "text": (lambda _: (200, completion(f"PUSH {key}"), {}), 1),
        "reason": (lambda _: (200, completion("PUSH", key) | {"model": key, "usage": {key: key}}, {}), 1),
    }
    for name, (then, code) in answers.items():
        with endpoint(then=then) as fake:
            model = f"openai:m,base_url={fake.url},retries=0,api=completions,ledger={name}.jsonl"
            where = ("-d", "hanoi", "-n", 3, "--model", model)
            commands = [
                (code, "run", *where, "--save", f"{name}.run", "--plan", f"{name}.txt", "--json"),
                (0, "view", f"{name}.run", "--out", f"{name}.html"),
                (0, "replay", f"{name}.run", "--step", 0),
                (0, "prompt", *where),
            ]
            done = [(code, coc("-vv", *words)) for code, *words in commands]
        assert [each.code for _, each in done] == [code for code, _ in done]
        said = "".join(each.out + each.err for _, each in done)
        assert key not in said
        assert ("[API key]" in said) == (name != "right")
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) >= 12
    assert [path for path in written if key.encode() in path.read_bytes()] == []
