"""A batch may be cut off at any moment: each line of the results has its plan, and no problem is run twice."""

import json
import sys

import pytest

import coc_learn.measure.commands.eval  # noqa: F401 — commands are imported when they are called, which a child must not do
from tests.support import forked_commands
from tests.support.forked_commands import wait

NAME = "batches"
WAYS = ("moment", "ctrl-c", "before a call", "inside a write", "full disk", "broken disk", "no room")
PLACES = (("hanoi", "text"), ("hanoi", "json"))
COUNT = 40


def problems_of(path):
    """The file of problems, which is made beside the folder that the plans are in."""
    file = path.parent.parent / "mine.txt"
    if not file.exists():
        file.write_text("".join(f"n={1 + number % 5} src=1 dst={2 + number % 2}\n" for number in range(COUNT)))
    return file


def begin_or_resume(place, path):
    """Run the batch, whatever is there; how it ended."""
    return wait(start(place, path))


def start(place, path, prepare=lambda: None):
    domain, form = place
    words = ["eval", "-d", domain, "--problems", str(problems_of(path)), "--plans", str(path), "--plan-format", form]
    return forked_commands.start([*words, "--model", "reference"], prepare)


def cut(place, path, way, rng):
    return forked_commands.cut(
        way, rng, lambda prepare=lambda: None: start(place, path, prepare), calls=90, size=9_000, seconds=0.3
    )


def results(path):
    """The whole lines of the results, without the heading."""
    text = (path / "results.jsonl").read_bytes() if (path / "results.jsonl").exists() else b""
    return [json.loads(line) for line in text.split(b"\n")[1:-1]]


def check(place, path):
    """Each line has its plan."""
    for found in results(path):
        plan = path / f"{found['source'].replace(':', '-')}.plan"
        assert plan.read_bytes().count(b"\n") >= found["score"]["actions"] > 0, (place, found)


def check_end(place, path):
    """Each problem was run once, and nothing else is there."""
    check(place, path)
    found = [each["source"] for each in results(path)]
    assert sorted(found) == sorted(f"mine.txt:{number}" for number in range(1, COUNT + 1))
    assert len(list(path.iterdir())) == COUNT + 1


@pytest.mark.parametrize("place", PLACES, ids=" ".join)
def test_a_batch_survives_being_cut_off(tmp_path, place):
    (tmp_path / "alone").mkdir()
    path = tmp_path / "alone" / "plans"
    forked_commands.survive(sys.modules[__name__], place, path, forked_commands.seeded(f"{place} 0"))
