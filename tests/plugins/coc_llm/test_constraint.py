"""Models held to a grammar: behind servers that take one in their ways, or don't, and in this process."""

import json
import random
import re

import pytest

from coc_core.errors import UsageError
from coc_core.execution import Sequential
from coc_core.setting import Setting
from coc_learn.datasets import teacher_pairs
from coc_learn.grammar import TARGET
from coc_learn.measure.exactness import Exactness
from coc_llm.constraint import WAYS
from tests.support.fake_endpoint import chat, endpoint, refusal
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY
from tests.support.text_matchers import END, matcher
from tests.support.tiny_causal_lms import TEMPLATE, tiny_lm

llguidance = pytest.importorskip("llguidance")
SETTING = Setting.of(REGISTRY, "hanoi", "pda", "symbolic")
PAIRS = list(teacher_pairs(SETTING, [SETTING.domain.problem(4)]))


def grammar_in(body, way):
    """The grammar in a request, as llguidance reads it; None if there is none."""
    match way, body.get(way):
        case _, None:
            return None
        case "grammar", gbnf:
            return matcher("gbnf", gbnf)
        case "structured_outputs", {"regex": pattern, **more} if not more:
            return matcher("regex", pattern)
        case "guided_regex" | "regex", str(pattern):
            return matcher("regex", pattern)
        case "response_format", {"type": "json_schema", "json_schema": {"strict": True, "schema": schema}}:
            return matcher("json_schema", json.dumps(schema))
    raise AssertionError(body)


def weak(text, held, rng, noise):
    """A text that a weak model writes: byte by byte, sometimes a random one, of those that the grammar allows."""
    wanted, written = [*text.encode(), END], []
    while len(written) < 400:
        next_one = wanted[len(written)] if len(written) < len(wanted) else END
        allowed = range(257) if held is None else [byte for byte, bias in enumerate(held.compute_logit_bias()) if bias]
        if rng.random() < noise:
            next_one = rng.choice([byte for byte in allowed if 32 <= byte < 127 or byte == END] or allowed)
        token = next_one if next_one in allowed else rng.choice(allowed)
        if held is not None:
            held.consume_token(token)
        if token == END:
            return bytes(written).decode(), "stop"
        written.append(token)
    return bytes(written).decode(), "length"


def server(way="", mangled=False, refused=(), noise=0.0):
    """A server that takes a grammar in one way, ignores most others, and refuses some."""
    rng = random.Random(1)

    def respond(body):
        if named := [key for key in refused if key in body]:
            return 400, refusal(f"unknown {named[0]}"), {}
        prompt, held = body["messages"][-1]["content"], grammar_in(body, way)
        try:
            text = SETTING.convention.target_for(prompt)
        except ValueError:
            text = "Hello!"
        if way == "response_format" and held:
            text = json.dumps({TARGET: text})
        text, reason = weak(text, held, rng, noise)
        return 200, chat(re.sub(r"\s+", " ", text) if mangled else text, reason), {}

    return endpoint(then=respond)


def opened(fake, options="constrain=on"):
    return SETTING.model(f"openai:m,base_url={fake.url},shots=0,retries=0,concurrency=1,{options}")


@for_each("way", WAYS)
def test_a_server_holds_a_weak_model_to_the_form(way):
    found = {}
    for mode in ("off", "auto"):
        with server(way, noise=0.05) as fake:
            model = opened(fake, f"constrain={mode}")
            exactness = Exactness(model, model._framing.grammar)
            exactness.run(PAIRS)
        found[mode] = exactness.document()["split"]
        assert model.record["grammar"] == (way if mode == "auto" else "off")
        plain = [{key: value for key, value in body.items() if key != way} for body in fake.bodies[-len(PAIRS) :]]
        assert plain == [model._framing.body(pair.prompt) for pair in PAIRS]
    assert found["off"]["wrong_form"] > found["auto"]["wrong_form"] == 0 < found["auto"]["wrong_content"]
    assert f", grammar {way})" in model.describe()


@for_each(
    ("how", "what"),
    [
        ({}, f"ignores {', '.join(WAYS)}"),
        ({"refused": [*WAYS]}, f"refuses {', '.join(WAYS)}"),
        (
            {"way": "grammar", "mangled": True, "refused": ["regex"]},
            "mangles grammar; ignores structured_outputs, guided_regex, response_format; refuses regex",
        ),
    ],
)
def test_a_server_that_takes_no_grammar_is_told(how, what):
    with server(**how) as fake:
        model = opened(fake, "constrain=auto")
        assert model.record["grammar"] == f"none: the server {what}"
        assert f", grammar none: the server {what})" in model.describe()
        (outcome,) = Sequential().run([SETTING.machine(SETTING.domain.problem(2))], model)
        assert outcome.status == "solved" or how.get("mangled")
        with pytest.raises(UsageError, match=f"the server holds no model to a grammar: it {what}"):
            opened(fake)


def test_responses_that_do_not_keep_to_the_grammar_are_counted():
    trials = iter(['Zq1234\n"ab"', "Nonsense"])
    with endpoint(then=lambda body: (200, chat(next(trials)), {})) as fake:
        model = opened(fake)
        assert model.complete([PAIRS[0].prompt]) == ["Nonsense"]
    assert ", grammar grammar, which 1 of 1 responses do not keep to)" in model.describe()


def test_a_wrong_key_is_no_refusal_of_a_grammar():
    with endpoint(then=lambda body: (401, refusal("no"), {})) as fake, pytest.raises(UsageError, match="the key"):
        opened(fake)
    assert len(fake.bodies) == 1


def test_what_a_run_says_of_the_grammar(coc, tmp_path):
    with server("regex", noise=0.05) as fake:
        model, path = f"openai:m,base_url={fake.url},shots=0,concurrency=1", tmp_path / "a.run"
        shown = coc("eval", "-d", "hanoi", "-n", "3", "--model", model, "--constrain", "auto", "--exactness")
        ran = coc("run", "-d", "hanoi", "-n", 2, "--model", model, "--constrain", "on", "--save", path)
        document = json.loads(coc("eval", "-d", "hanoi", "-n", 3, "--model", model, "--json").out)
    assert re.search(r"responses: \d+ right, 0 wrong form, [1-9]\d* wrong content\n", shown.out)
    assert re.search(r"runs: \d right, 0 wrong form, \d wrong content\n", shown.out)
    assert "grammar regex" in ran.out
    assert document["split"] == {"right": 0, "wrong_form": 1, "wrong_content": 0}
    assert coc("run", "-d", "hanoi", "-n", 2, "--constrain", "on").err.startswith(
        "coc: error: --constrain needs a language model; write --model openai:NAME or hf:FOLDER"
    )


def test_a_model_in_this_process_is_held_to_the_form(tmp_path):
    """A model of random weights: it writes no target, and with a grammar nothing else, in a batch as alone."""
    folder = tiny_lm(tmp_path, TEMPLATE)
    model = SETTING.model(f"hf:{folder},shots=0,system=no,max_tokens=60,constrain=on")
    plain = SETTING.model(f"hf:{folder},shots=0,system=no,max_tokens=60")
    prompts = [pair.prompt for pair in PAIRS[:3]]
    grammar = model._framing.grammar
    texts = [getattr(each, "text", each) for each in model.sample(prompts, [1, 2, 3])]
    held = matcher("regex", grammar.pattern)
    for text in texts:
        held.reset()
        assert held.try_consume_tokens(list(text.encode())) == len(text)  # as far as it goes
    assert not any(map(grammar.accepts, [getattr(each, "text", each) for each in plain.sample(prompts, [1, 2, 3])]))
    assert model.record["grammar"].startswith("llguidance ")
    assert model.record["fingerprint"] != plain.record["fingerprint"]
    assert model.describe().endswith(f"(chat, grammar by {model.record['grammar']})")
