"""Builds of datasets that are cut off. What is in place is a whole dataset at each moment, the old one or the new."""

import os

import coc_learn.commands.data  # noqa: F401 — commands are imported when they are called, which a child must not do
from tests.support import forked_commands
from tests.support.forked_commands import wait

NAME = "builds"
WAYS = ("moment", "ctrl-c", "before a call", "inside a write", "full disk", "broken disk", "no room")
PLACES = (
    ("hanoi", "pda", "symbolic", "1-4", "pairs"),
    ("hanoi", "tape", "inline", "1-3", "instances"),
    ("pancake", "tape", "symbolic", "3-4", "pairs"),
    ("blocksworld", "pda", "symbolic", "3-4", "instances"),
)


def command(place, path, seed=0):
    domain, memory, arith, sizes, by = place
    setting = ["-d", domain, "-m", memory, "-a", arith, "-n", sizes, "--instances", "3"]
    return ["data", "build", *setting, "--holdout-by", by, "--holdout", "0.4", "--seed", str(seed), "-o", str(path)]


def begin_or_resume(place, path, seed=0):
    """Build the dataset, whatever is there; how it ended."""
    return wait(forked_commands.start(command(place, path, seed)))


def cut(place, path, way, rng):
    """Cut a build off in that way, somewhere; at times a dataset of another seed is in the place before."""
    if not os.path.lexists(path) and rng.random() < 0.5:
        assert begin_or_resume(place, path, seed=1) == 0
    return forked_commands.cut(
        way,
        rng,
        lambda prepare=lambda: None: forked_commands.start(command(place, path), prepare),
        calls=20,
        size=6_000,
        seconds=0.06,
    )


def files(path):
    return {file.name: file.read_bytes() for file in path.iterdir()}


uninterrupted, check, check_end = forked_commands.compared(begin_or_resume, files)
