"""The backend behind the core's interface: drafts, dialects and margins."""

import re
from collections import Counter, defaultdict
from math import exp, sqrt

import pytest
import torch

from coc_core.errors import LimitFault
from coc_core.models import Pair, read_config
from coc_transformer.continuation import Prefix, complete
from coc_transformer.decoding import backend
from coc_transformer.decoding.backend import Transformer
from coc_transformer.files.checkpoint import fingerprint
from coc_transformer.model import load_decoder
from coc_transformer.tokenizer import EOS
from tests.plugins.coc_transformer.conftest import decode, opened
from tests.support.for_each import for_each
from tests.support.random_checkpoints import random_decoder, untrained

DIALECTS = ("toy/stack", "toy/linked/numeric", "toy/linked/symbolic")


@pytest.fixture(scope="module")
def parts(toy_pairs):
    return random_decoder(toy_pairs, dialects=len(DIALECTS))


def test_it_uses_its_dialect(toy_pairs, tmp_path):
    folder, prompts = untrained(tmp_path / "it", DIALECTS, toy_pairs, tokens="exact"), ["SUCC n=3", "SUCC n=11"]
    parts, found = load_decoder(folder, read_config(folder)[1]), []
    for number, dialect in enumerate(DIALECTS):
        model, expected = opened(folder, dialect=dialect), decode(*parts, prompts, dialect=number)
        assert model.complete(prompts) == expected
        assert model.complete(prompts, drafts=[*expected[:1], "PUSH"]) == expected
        assert model.calls == 4
        assert model.sample(prompts, [1, 2]) == Transformer(*parts, "", number).sample(prompts, [1, 2])
        found.append(expected)
    assert len(set(map(tuple, found))) == len(DIALECTS)


def test_the_smallest_margin_is_kept(parts):
    model = Transformer(*parts, "toy")
    margins = []
    for prompt in (f"SUCC n={n}" for n in range(5)):
        alone = Transformer(*parts, "toy")
        assert alone.complete([prompt]) == model.complete([prompt])
        margins.append(alone.margin)
        assert model.margin == min(margins)
    assert len(set(margins)) > 1


PROMPT = "SUCC n=3"


def made(pairs, room):
    """A model with random weights whose context has room for so many tokens after the prompt, and its tokenizer."""
    _, tokenizer = random_decoder(pairs)
    return random_decoder(pairs, max_len=len(tokenizer.context_below(1000, PROMPT, 0)) + room)


def test_a_token_is_as_frequent_as_it_is_likely(toy_pairs):
    decoder, tokenizer = made(toy_pairs, 1)
    ids = tokenizer.context_below(1000, PROMPT, 0)
    likely = defaultdict(float)
    for token, probability in enumerate(decoder(torch.tensor([ids]))[0, -1].softmax(-1).tolist()):
        likely[tokenizer.target([token])] += probability
    count = 2000
    found = Counter(Transformer(decoder, tokenizer, "toy").sample([PROMPT] * count, range(count)))
    assert len(found) > 3
    assert found.keys() <= likely.keys()
    for text, probability in likely.items():
        assert abs(found[text] / count - probability) <= 4 * sqrt(probability * (1 - probability) / count) + 1e-3


def test_a_target_depends_on_its_seed_alone(toy_pairs):
    model = Transformer(*made(toy_pairs, 12), "toy")
    prompts = [PROMPT, "SUCC n=11", PROMPT, "SUCC", PROMPT]
    together = model.sample(prompts, [1, 2, 3, 4, 1])
    assert together == [
        model.sample([prompt], [seed])[0] for prompt, seed in zip(prompts, [1, 2, 3, 4, 1], strict=True)
    ]
    assert together[0] == together[4] != together[2]
    assert model.sample([], []) == []
    assert model.calls == 10


PROMPTS = [f"SUCC n={n}" for n in (3, 7, 11, 19)]


@for_each("tokens", ["exact", "binary", "digits", "merged"])
@for_each("dialects", [1, 3])
def test_they_are_those_of_a_pass_over_one_pair(toy_pairs, tokens, dialects):
    decoder, tokenizer = random_decoder(toy_pairs, tokens, dialects)
    dialect = dialects - 1
    model = Transformer(decoder, tokenizer, "toy", dialect)
    pairs = [Pair(prompt, target) for prompt in PROMPTS for target in ("PUSH SUCC n=4", "A", "")]
    scores = model.score([pair.prompt for pair in pairs], [pair.target for pair in pairs], 3)
    names = tokenizer.tokens()
    for pair, found in zip(pairs, scores, strict=True):
        ids, start = tokenizer.example(pair, dialect)
        logprobs = decoder(torch.tensor([ids]))[0].log_softmax(-1)
        target = ids[start:-1]
        assert model.encode(pair.target) == target
        assert [score.token for score in found] == [names[token] for token in target]
        for place, (token, score) in enumerate(zip(target, found, strict=True), start - 1):
            assert score.logprob == pytest.approx(logprobs[place, token].item(), abs=1e-4)
            best = logprobs[place].topk(3)
            assert list(score.top.values()) == pytest.approx(best.values.tolist(), abs=1e-4)
            assert sum(map(exp, score.top.values())) <= 1.0001


def test_tokens_that_are_equally_likely_are_in_the_order_of_their_ids(toy_pairs, scripted):
    tokenizer = random_decoder(toy_pairs, "exact")[1]
    model = Transformer(scripted(tokenizer.size, [EOS] * 24), tokenizer, "scripted")
    [[score]] = model.score(["SUCC n=3"], ["1"], tokenizer.size)
    names, (line_break,) = tokenizer.tokens(), tokenizer.encode("\n")
    assert len(names) > 16  # fewer are sorted in order anyway
    assert [*score.top] == [
        names[EOS],
        "\n",
        *(names[each] for each in range(len(names)) if each not in (EOS, line_break)),
    ]


def test_a_target_ends_with_the_context(toy_pairs):
    model = Transformer(*random_decoder(toy_pairs), "toy")
    (scores,) = model.score(["SUCC n=3"], ["PUSH " * 100], 0)
    assert len(scores) < 24
    with pytest.raises(LimitFault):
        model.score(["SUCC " * 100], ["PUSH"], 0)


def test_any_prefix_of_a_target_is_completed_to_the_whole(trained, toy_pairs):
    model, tokenizer = trained
    contexts, prefixes, wholes = [], [], []
    for pair in toy_pairs:
        ids, start = tokenizer.example(pair)
        for length in range(len(ids) - start + 1):
            contexts.append(ids[:start])
            prefixes.append(Prefix(ids[start : start + length], 99.0 if length % 2 else 1e-3))
            wholes.append(ids[start:])
    found = complete(model, contexts, prefixes)
    assert [target.ids for target in found] == wholes
    assert all(target.margin <= prefix.margin for target, prefix in zip(found, prefixes, strict=True))
    assert {target.margin for target, prefix in zip(found, prefixes, strict=True) if prefix.margin < 1} == {1e-3}


def test_a_model_says_what_it_is_and_on_which_device(toy_checkpoint, monkeypatch, tmp_path):
    monkeypatch.setattr(backend, "inference_device", lambda: torch.device("meta"))
    (tmp_path / "link").symlink_to(toy_checkpoint)
    model = opened(tmp_path / "link")
    assert model.record == {
        "fingerprint": fingerprint(toy_checkpoint),
        "torch": torch.__version__,
        "dtype": "float32",
        "threads": str(torch.get_num_threads()),
        "device": "meta",
    }
    assert re.fullmatch(r"toy \(transformer, [0-9,]+ parameters\)", model.describe())
