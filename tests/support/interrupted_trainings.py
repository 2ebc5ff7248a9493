"""Trainings that are cut off, each with a snapshot after each of a few steps."""

import json
import os
import re
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import torch

from coc_core.cli import main
from coc_transformer.training import loop
from coc_transformer.training.hyperparameters import Hyperparameters
from tests.support import forked_commands
from tests.support.forked_commands import wait

NAME = "trainings"
WAYS = ("moment", "ctrl-c", "before a call", "inside a write", "full disk", "broken disk", "no room")
_TINY = ["d_model=16", "heads=2", "layers=1", "batch_size=8", "steps=5", "warmup=2", "final_pairs=16"]
PLACES = (
    ("hanoi", "small", "dropout=0.1"),
    ("hanoi", "exact", "prioritised_replay=0.25"),
    (
        "blocksworld",
        "exact",
        "positions=rotary curriculum=0.6 name_permutation=0.5 name_pool=8 token_shift=1 attention=target",
    ),
    ("blocksworld", "exact-lists", "name_pool=8 score_noise=1 tokens=brackets"),
)


def command(place, path, seed=0):
    domain, preset, values = place
    words = ["train", "-d", domain, "-n", "1-3", "--preset", preset, "--seed", str(seed), "-o", str(path)]
    return [*words, *(word for value in (*_TINY, *values.split()) for word in ("--set", value))]


@cache
def warm():
    """Everything that a training imports while it goes on, imported; and torch in one thread, which can be forked_commands."""
    torch.set_num_threads(1)
    with TemporaryDirectory() as folder, redirect_stdout(StringIO()):
        for number, place in enumerate(PLACES):
            assert main([*command(place, Path(folder) / str(number))]) == 0


def note_often():
    """Note, store and measure at each step or two, in this process and those that it forks."""
    loop.REPORT_INTERVAL, loop.SNAPSHOT_SECONDS, loop.MOST_MEASURED = 1, 0, 8
    Hyperparameters.eval_interval = 2


def _start(place, path, prepare=lambda: None, seed=0):
    warm()
    resume = ["--resume"] if _working(path).exists() else []

    def prepare_all():
        note_often()
        prepare()

    return forked_commands.start([*command(place, path, seed), *resume], prepare_all)


def _working(path):
    return path.with_name(path.name + ".training")


def begin_or_resume(place, path, seed=0):
    """Train, or resume the training if there is a working folder; how it ended."""
    return wait(_start(place, path, seed=seed))


def cut(place, path, way, rng):
    """Cut a training off in that way, somewhere; at times a checkpoint of another seed is in the place before."""
    if not os.path.lexists(path) and not _working(path).exists() and rng.random() < 0.3:
        assert begin_or_resume(place, path, seed=1) == 0
    warm()
    run = lambda prepare=lambda: None: _start(place, path, prepare)  # noqa: E731
    return forked_commands.cut(way, rng, run, calls=110, size=90_000, seconds=0.2)


def files(path):
    """The contents of a checkpoint's files, without the seconds that it took."""
    found = {file.name: file.read_bytes() for file in path.iterdir()}
    lines = [json.loads(line) for line in found["metrics.jsonl"].splitlines()]
    timed = ("seconds", "tokens_per_second")
    found["metrics.jsonl"] = [{key: line[key] for key in line if key not in timed} for line in lines]
    found["SHA256SUMS"] = [line for line in found["SHA256SUMS"].splitlines() if not line.endswith((b".md", b".jsonl"))]
    found["README.md"] = re.sub(rb"in [\d,]+ s ", b"", found["README.md"])
    return found


uninterrupted, check, check_end = forked_commands.compared(begin_or_resume, files)
