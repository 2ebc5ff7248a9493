"""The checkpoint that ships for Tower of Hanoi on a stack answers every prompt of 20 disks exactly."""

from pathlib import Path

import pytest

from coc_core.checkpoint import read_config
from coc_core.convention import StackConvention
from coc_core.data import Pair, closure, hold_out
from coc_hanoi.domain import Hanoi
from coc_hanoi.instructions import Tower
from coc_transformer.backend import Transformer, open_checkpoint
from coc_transformer.card import fingerprint

FOLDER = Path(__file__).parents[3] / "plugins" / "coc_hanoi" / "checkpoints" / "pda"


@pytest.fixture(scope="module")
def model() -> Transformer:
    return open_checkpoint(FOLDER, read_config(FOLDER)[1])


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    return list(closure(StackConvention(Hanoi(), "symbolic"), [Tower(n) for n in range(1, 21)]))


def test_it_answers_every_pair_alone_and_together(model: Transformer, pairs: list[Pair]) -> None:
    prompts, targets = zip(*pairs, strict=True)
    assert len(pairs) == 216
    assert model.complete(prompts) == list(targets)
    assert [model.complete([prompt])[0] for prompt in prompts[::9]] == list(targets[::9])
    assert model.margin > 0.5  # far above rounding, so the batch's shape can't matter


def test_it_is_small(model: Transformer) -> None:
    assert model.parameters < 1_000_000
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 3_500_000
    assert {path.name for path in FOLDER.iterdir()} == {
        "README.md",
        "config.json",
        "model.safetensors",
        "tokenizer.json",
    }


def test_its_card_tells_the_truth(pairs: list[Pair]) -> None:
    card = (FOLDER / "README.md").read_text()
    learned, held = hold_out(pairs, 0.15, 0)
    for fact in ("| 184 of 184 |", "| 32 of 32 |", f"`{fingerprint(learned)}`", f"`{fingerprint(held)}`"):
        assert fact in card
