"""The checkpoints that ship for Tower of Hanoi answer every prompt of 20 disks exactly."""

from pathlib import Path
from typing import NamedTuple

import pytest

from coc_core.checkpoint import read_config
from coc_core.convention import Convention, LinkedTapeConvention, StackConvention
from coc_core.data import Pair, closure, hold_out
from coc_hanoi.domain import Hanoi
from coc_hanoi.instructions import Tower
from coc_transformer.backend import Transformer, open_checkpoint
from coc_transformer.card import fingerprint

CHECKPOINTS = Path(__file__).parents[3] / "plugins" / "coc_hanoi" / "checkpoints"
CONVENTIONS: dict[str, type[Convention]] = {"pda": StackConvention, "tape-symbolic": LinkedTapeConvention}


class Shipped(NamedTuple):
    folder: Path
    convention: Convention
    model: Transformer
    pairs: list[Pair]


@pytest.fixture(scope="module", params=CONVENTIONS)
def shipped(request: pytest.FixtureRequest) -> Shipped:
    folder = CHECKPOINTS / request.param
    convention = CONVENTIONS[request.param](Hanoi(), "symbolic")
    pairs = list(closure(convention, [Tower(n) for n in range(1, 21)]))
    identity, config = read_config(folder)
    return Shipped(folder, convention, open_checkpoint(folder, config, identity, convention.dialect), pairs)


def test_all_that_ship_are_tested() -> None:
    assert {path.name for path in CHECKPOINTS.iterdir()} == set(CONVENTIONS)


def test_it_answers_every_pair_alone_and_together(shipped: Shipped) -> None:
    prompts, targets = zip(*shipped.pairs, strict=True)
    assert len(shipped.pairs) == 216
    assert shipped.model.complete(prompts) == list(targets)
    assert [shipped.model.complete([prompt])[0] for prompt in prompts[::9]] == list(targets[::9])
    assert shipped.model.margin > 0.5  # far above rounding, so the batch's shape can't matter


def test_it_is_small_and_speaks_its_dialect(shipped: Shipped) -> None:
    assert shipped.model.parameters < 500_000
    assert sum(path.stat().st_size for path in shipped.folder.iterdir()) < 2_000_000
    files = {"README.md", "config.json", "model.safetensors", "tokenizer.json"}
    assert {path.name for path in shipped.folder.iterdir()} == files
    assert read_config(shipped.folder)[0].dialects == (shipped.convention.dialect,)


def test_its_card_tells_the_truth(shipped: Shipped) -> None:
    card = (shipped.folder / "README.md").read_text()
    learned, held = hold_out(shipped.pairs, 0.15, 0)
    for fact in ("| 184 of 184 |", "| 32 of 32 |", f"`{fingerprint(learned)}`", f"`{fingerprint(held)}`"):
        assert fact in card
