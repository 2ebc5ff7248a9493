"""What the audit of a dataset promises to a training: no prompt twice, and no held-out prompt in training."""

import gzip
import json
from hashlib import sha256

import pytest

from coc_core.errors import ArtefactError
from coc_core.models import Pair
from coc_learn.datasets import CARD, Dataset, DatasetSpec, PairStream, SubsetName, build_dataset, file_name
from coc_learn.datasets.rows import encode
from tests.support.checksums import write_sums
from tests.support.for_each import for_each
from tests.support.plan_runs import setting_of

SETTING, SPEC = setting_of("hanoi"), DatasetSpec((1,), holdout=0)


def pairs(numbers, target="right"):
    return [Pair(f"INSTR {number}", target) for number in numbers]


def dataset(folder, train, heldout):
    """A dataset of these pairs, whose card matches its files."""
    build_dataset(folder, SETTING, SPEC, PairStream(SETTING, SPEC))
    card = json.loads((folder / CARD).read_text())
    for subset, some in zip(SubsetName, (train, heldout), strict=True):
        data = b"".join(map(encode, some))
        (folder / file_name(subset)).write_bytes(gzip.compress(data))
        sums = {"pairs": len(some), "bytes": len(data), "sha256": sha256(data).hexdigest()}
        card["files"][file_name(subset)] = sums
    (folder / CARD).write_text(json.dumps(card))
    write_sums(folder, [CARD])
    return Dataset.open(folder)


@for_each("target", ["right", "another"])
@for_each(
    ("train", "more_train", "heldout", "more_heldout", "fault"),
    [
        ([1, 2], [], [3], [2], "heldout.jsonl.gz, line 2: the prompt is not held out: it is also in training"),
        ([1, 2], [], [], [1], "heldout.jsonl.gz, line 1: the prompt is not held out: it is also in training"),
        ([1, 2], [1], [3], [], "train.jsonl.gz, line 3: the prompt appears twice"),
        ([1], [], [2, 3], [2], "heldout.jsonl.gz, line 3: the prompt appears twice"),
    ],
)
def test_a_prompt_that_comes_again_is_refused_whatever_its_target(
    tmp_path, train, more_train, heldout, more_heldout, fault, target
):
    halves = [*pairs(train), *pairs(more_train, target)], [*pairs(heldout), *pairs(more_heldout, target)]
    with pytest.raises(ArtefactError, match=fault):
        list(dataset(tmp_path / "it", *halves).rows())


def test_what_a_card_says_of_both_files_is_compared_after_their_last_rows(tmp_path):
    found = dataset(tmp_path / "it", pairs([1, 2]), pairs([3, 4]))
    (found.folder / "heldout.jsonl.gz").write_bytes(gzip.compress(b"".join(map(encode, pairs([3, 5])))))
    rows = found.rows()
    assert [next(rows) for _ in range(3)] == [*(("train", pair) for pair in pairs([1, 2])), ("heldout", pairs([3])[0])]
    with pytest.raises(ArtefactError, match=r"heldout.jsonl.gz .*SHA-256"):
        list(rows)
