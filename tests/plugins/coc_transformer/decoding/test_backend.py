"""The backend behind the core's interface: drafts, dialects and margins."""

import re
import shutil
from collections import Counter, defaultdict
from math import exp, sqrt

import pytest
import torch

from coc_core.errors import ArtefactError, LimitFault
from coc_core.models import Identity, Pair
from coc_core.plugin import CheckpointSpec, Registry
from coc_core.storage import SUMS
from coc_transformer.continuation import Prefix, complete
from coc_transformer.decoding import backend
from coc_transformer.decoding.backend import Transformer, open_checkpoint
from coc_transformer.files.checkpoint import CONFIG, TOKENIZER, WEIGHTS, fingerprint
from tests.plugins.coc_transformer.conftest import decode, opened
from tests.support.for_each import for_each
from tests.support.random_checkpoints import random_decoder

DIALECTS = ("toy/stack", "toy/linked/numeric", "toy/linked/symbolic")


@pytest.fixture(scope="module")
def parts(toy_pairs):
    return random_decoder(toy_pairs, dialects=len(DIALECTS))


@pytest.fixture
def loaded(parts, monkeypatch):
    monkeypatch.setattr("coc_transformer.decoding.backend.load_decoder", lambda folder, config: parts)
    monkeypatch.setattr("coc_transformer.files.checkpoint.fingerprint", lambda folder: "0")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_it_uses_its_dialect(parts, loaded, tmp_path, dialect):
    model = open_checkpoint(tmp_path, {}, Identity("transformer", DIALECTS), dialect)
    prompts = ["SUCC n=3", "SUCC n=11"]
    expected = decode(*parts, prompts, dialect=DIALECTS.index(dialect))
    assert model.complete(prompts) == expected
    assert model.complete(prompts, drafts=[*expected[:1], "PUSH"]) == expected
    assert model.calls == 4
    assert model.sample(prompts, [1, 2]) == Transformer(*parts, "", DIALECTS.index(dialect)).sample(prompts, [1, 2])


def test_the_smallest_margin_is_kept(parts):
    model = Transformer(*parts, "toy")
    margins = []
    for prompt in (f"SUCC n={n}" for n in range(5)):
        alone = Transformer(*parts, "toy")
        assert alone.complete([prompt]) == model.complete([prompt])
        margins.append(alone.margin)
        assert model.margin == min(margins)
    assert len(set(margins)) > 1


@pytest.fixture
def folder(tmp_path):
    registry = Registry.installed()
    shipped = next(spec for spec in registry.specs(CheckpointSpec) if "hanoi/stack" in spec.dialects)
    return shutil.copytree(registry.folder(shipped), tmp_path / "model")


@pytest.mark.parametrize("name", [CONFIG, TOKENIZER, WEIGHTS])
def test_the_fingerprint_depends_on_each_file(folder, name):
    before = fingerprint(folder)
    (folder / SUMS).unlink()
    path = folder / name
    path.write_bytes(path.read_bytes() + b" ")
    assert fingerprint(folder) != before
    path.unlink()
    with pytest.raises(ArtefactError, match="can't read"):
        fingerprint(folder)


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
