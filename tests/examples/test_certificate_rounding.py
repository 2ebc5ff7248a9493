"""The checkers' bounds on rounding and coc's are those of two programs: they agree, and both know what overflows."""

import math
from pathlib import Path

import numpy as np
import pytest

from coc_core.models import Pair, read_config
from coc_transformer.assumptions import float32_assumptions
from coc_transformer.model import load_decoder
from coc_transformer.rounding import target_margin
from tests.support.random_checkpoints import untrained

ROOT = Path(__file__).parents[2]
PAIR = Pair("go [B1, B2] 12", "on [B2, B1] 7")
SHAPES = {
    "absolute": {},
    "fields": {"positions": "fields", "token_shift": 1, "log_scaling": True, "prompt_attention": False},
    "lists": {"positions": "fields", "list_attention": False},
}


@pytest.fixture(scope="module", autouse=True)
def importable():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "examples")
        yield


@pytest.mark.parametrize("shape", SHAPES)
def test_the_checkers_compute_the_same_bounds(tmp_path, shape):
    from certificate.checkpoint import Checkpoint
    from certificate.model import Model
    from certificate.rounding import ASSUMPTIONS, Rounding

    assert float32_assumptions() == ASSUMPTIONS
    folder = untrained(tmp_path / "model", ["a/b"], [PAIR] * 3, tokens="exact", **SHAPES[shape])
    decoder, tokenizer = load_decoder(folder, read_config(folder)[1])
    model, (ids, start) = Model(Checkpoint(folder)), tokenizer.example(PAIR)
    for name, parameter in decoder.named_parameters():
        factor = 1.0 if "norm" in name else 0.5
        parameter.data *= factor
        model.weights[name] *= factor
    found = target_margin(decoder.double(), ids[:start], ids[start:])
    assert model.example({"prompt": PAIR.prompt, "target": PAIR.target}, "a/b") == (start, ids)
    assert Rounding(model).bound(start, ids) == pytest.approx((found.margin, found.bound), rel=1e-9)
    assert model.margins([(start, ids)])[0] == pytest.approx(found.margin, abs=1e-6)
    assert 0 < found.bound < 1
    for name in decoder.state_dict():  # each of them is looked at
        before = model.weights[name]
        model.weights[name] = before * 2.0**127
        parameter = decoder.get_parameter(name)
        parameter.data *= 2.0**127
        assert Rounding(model).bound(start, ids)[1] == math.inf, name
        assert target_margin(decoder, ids[:start], ids[start:]).bound == math.inf, name
        parameter.data /= 2.0**127
        model.weights[name] = before


@pytest.mark.parametrize("tokens", ["digits", "exact", "binary", "brackets"])
def test_the_checkers_read_texts_as_coc_does(tmp_path, tokens):
    from certificate.checkpoint import Checkpoint
    from certificate.model import Model

    folder = untrained(tmp_path / "model", ["a/b"], [PAIR] * 3, tokens=tokens)
    _, tokenizer = load_decoder(folder, read_config(folder)[1])
    model = Model(Checkpoint(folder))
    assert np.array_equal(model.kinds, tokenizer.kinds())
    for text in (*PAIR, "[B1, B2] 21", "B1B2, B1", "go go"):
        ids = model.tokenizer.encode(text)
        assert (ids, tokenizer.decode(ids)) == (tokenizer.encode(text), text)
