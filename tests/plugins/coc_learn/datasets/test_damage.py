"""Damaged and forged datasets are refused, or are what they say.

What the rows of a dataset ought to be is known: those that the reference model writes for the problems of its card.
"""

import gzip
import json
from hashlib import sha256

import pytest

from coc_core.errors import ArtefactError, CocError, UsageError
from coc_core.plugin import Registry
from coc_learn.datasets import Dataset, divided_pairs, setting_of
from coc_learn.sources import read_pairs
from tests.support import damage
from tests.support.checksums import write_sums
from tests.support.damage import Wrong
from tests.support.interrupted_builds import PLACES, command, files

CARD = "card.json"


class Datasets(damage.Kind):
    """Datasets of some settings. An edit is of the card or of a file's rows, whose count and sums may go to the card."""

    def make(self, folder):
        for number, place in enumerate(PLACES):
            assert damage.coc(*command(place, folder / f"{number}")) is not None
            yield " ".join(place[:3]), files(folder / f"{number}")

    def parts(self, files):
        rows = {name: gzip.decompress(data) for name, data in files.items() if name.endswith(".gz")}
        return {CARD: files[CARD]} | {name: b"[" + b",".join(data.splitlines()) + b"]" for name, data in rows.items()}

    def put(self, path, name, data, sealed):
        if name != CARD:
            try:
                rows = [json.dumps(row, ensure_ascii=False) + "\n" for row in json.loads(data)]
            except (ValueError, TypeError, RecursionError):
                rows = [data.decode("latin-1")]
            text = "".join(rows).encode("utf-8", "replace")
            (path / name).write_bytes(gzip.compress(text, mtime=1_000_000))
            document = json.loads((path / CARD).read_bytes())
            document["files"][name] = {"pairs": len(rows), "bytes": len(text), "sha256": sha256(text).hexdigest()}
            name, data = CARD, json.dumps(document, indent=2).encode() if sealed else (path / CARD).read_bytes()
        (path / name).write_bytes(data)
        if sealed:
            write_sums(path, [CARD])

    def use(self, folder, genuine):
        printed = damage.coc("data", "verify", folder / "a", "--json")
        verified = None if printed is None else {**json.loads(printed), "dataset": None}
        return {"verify": verified, "train": self._train(folder / "a")}

    def _train(self, path):
        """The training sets that `coc train --data` would learn from, without the name and the sum of the dataset."""
        try:
            sets = read_pairs(Registry.installed(), [path]).sets()
        except (ArtefactError, UsageError):
            return None
        return [(each.dialect, each.train, each.heldout, each.sizes) for each in sets]

    def is_less(self, uses, genuine):
        """Whether all that reads it refuses it."""
        return uses["verify"] is None and uses["train"] in (None, genuine.uses["train"])

    def check(self, folder, uses, genuine):
        """Wrong unless the dataset's rows are those that its own card describes, written again from nothing."""
        if uses["verify"] is None:
            return
        dataset = Dataset.open(folder / "a")
        try:
            expected = divided_pairs(setting_of(Registry.installed(), dataset), dataset.card)
        except CocError as error:
            raise Wrong(f"it is accepted, and its card describes no dataset: {error}") from None
        if tuple([pair for _, pair in dataset.file(name)] for name in ("train", "heldout")) != expected:
            raise Wrong("it is accepted, and its rows are not those that its card describes")


@pytest.mark.slow
def test_no_damaged_dataset_is_believed(tmp_path):
    verdicts, wrong = damage.survey(Datasets(), tmp_path, 60)
    assert wrong == [], "\n".join(wrong)
    assert {"refused", "harmless", "true"} <= verdicts.keys()
