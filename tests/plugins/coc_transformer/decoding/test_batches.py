"""What is computed together, on which device, and that a target is the same however it is come by."""

import re

import torch

from coc_transformer.continuation import Prefix, complete
from coc_transformer.decoding import backend
from coc_transformer.files.checkpoint import fingerprint
from tests.plugins.coc_transformer.conftest import opened


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
