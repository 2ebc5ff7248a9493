"""Tasks that train by the paper's own protocol: hours of a GPU, so in pieces that go on from small snapshots.

A piece ends at a given step. What it leaves is `STATE`: weights in float32, and AdamW's moments with 6 significant
bits, whose rounding its averages over 10 and 20 steps soon forget. The next piece goes on from this file, on
any machine. Whether a piece was cut off or not, it comes to the same bits on the same kind of machine, since within a
piece a training goes on from coc's own snapshots, which are not rounded.
"""

import json
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from typing import Any

import numpy as np
import torch
from attrs import define, evolve, fields
from numpy.typing import NDArray
from torch import Tensor

from coc_core.errors import UsageError
from coc_core.models import Pair
from coc_core.plugin import Registry
from coc_core.storage import read_bytes, read_json
from coc_learn.metrics import METRICS
from coc_learn.options import TrainOptions
from coc_learn.train import Training
from coc_learn.trainer import TrainingProgress, TrainingSet
from coc_paper.work import CHECKPOINT, Done
from coc_paper.work.learning import all_hyperparameters
from coc_transformer.batches import collate, tokenise
from coc_transformer.files import ModelConfig
from coc_transformer.model import Decoder, inference_device
from coc_transformer.snapshots import Progress, working_folder
from coc_transformer.tokenizer import TextTokenizer

STATE = "state.npz"
_SNAPSHOT = "snapshot.json"
_MOMENTS = ("exp_avg", "exp_avg_sq")
_DROPPED = 18  # of the 32 bits of a moment: 6 significant bits are left, an error below 1%
_MEASURED = 1_000  # pairs of a kind
_BATCH = 50
_POINTS = 50  # of a curve in a piece
_LARGEST = 1 << 28  # bytes of metrics


@define
class _Stop:
    """Stops a training at a step, as Ctrl-C does, so that it stores a snapshot. Reports come every ten steps."""

    until: int
    reached: bool = False

    def __call__(self, progress: TrainingProgress) -> None:
        if progress.step >= self.until and progress.step < progress.steps:
            self.reached = True
            signal.raise_signal(signal.SIGTERM)  # which no shell has a job ignore


def train(folder: Path, needs: Mapping[str, Done], until: int, **choices: Any) -> Any:
    """Train up to a step, from the state that the task `before` left, or where a former attempt was cut off.

    Args:
        folder: The task's folder.
        needs: The piece before it, as `before`, unless it is the first.
        until: The step at which it ends, a multiple of 10; the training's last one ends it with a checkpoint.
        choices: The arguments of `coc.train`.

    Returns:
        Steps, tokens and seconds, the loss and the exactness over the steps, and how many pairs are exact at the end:
        of all pairs if that is the training's end, otherwise of a sample.

    Raises:
        UsageError: The training can't be interrupted, since this is not the main thread.
    """
    if threading.current_thread() is not threading.main_thread():
        raise UsageError("a piece of a training needs a process of its own", remedy="choose --engine processes")
    out, before = folder / CHECKPOINT, needs.get("before")
    working = out.with_name(f"{out.name}.training")
    if before and not (working / _SNAPSHOT).exists():
        _unpack(before.folder / STATE, out)
    options = TrainOptions(**choices, out=out, resume=working.exists())
    training, stop = Training.of(Registry.installed(), options), _Stop(until)
    (learned,) = sets = training.pairs.sets()
    started: Mapping[str, Any] = before.result if before else {"step": 0, "seconds": 0.0}
    if _stored_step(working) != until:
        try:
            report = training.train(sets, stop)
        except KeyboardInterrupt:
            if not stop.reached:
                raise
        else:
            counts = {
                f"{half}_{name}": getattr(report, f"{half}_{name}")
                for half in ("train", "heldout")
                for name in ("exact", "pairs")
            }
            done = {"step": report.steps, "seconds": report.seconds - started["seconds"], **counts}
            return {**done, **_curves(out / METRICS, started["step"]), "bytes": 0, "parameters": report.parameters}
    config, tokenizer = _architecture(options, learned.train)
    with _state(out, config, until) as (state, progress):
        exact = {
            f"{half}_{name}": count
            for half, pairs in (("train", learned.train), ("heldout", learned.heldout))
            for name, count in zip(("exact", "pairs"), _exact(config, tokenizer, state, pairs), strict=True)
        }
        metrics = working / METRICS
        size = _pack(folder / STATE, state, progress, read_json(working / _SNAPSHOT)["job"], metrics)
        curves = _curves(metrics, started["step"])
    rmtree(working)
    done = {"step": progress.step, "seconds": progress.seconds - started["seconds"], **exact}
    return {**done, **curves, "bytes": size, "parameters": config.parameters()}


def rate(folder: Path, _: Mapping[str, Done], limit: float, **choices: Any) -> Any:
    """How long a step of a training takes: the mean of so many that they take at least `limit` seconds.

    Trainings of 1, 4, 16, ... steps are made, until one takes that long; the others warm the machine up.
    """
    sets: Sequence[TrainingSet] | None = None
    hyperparameters, steps = dict(choices.pop("hyperparameters")), 1
    while True:
        changes = {**hyperparameters, "steps": steps, "final_pairs": 20}
        options = TrainOptions(**choices, hyperparameters=changes, out=folder / CHECKPOINT)
        training = Training.of(Registry.installed(), options)
        sets = sets or training.pairs.sets()
        report = training.train(sets)
        rmtree(folder / CHECKPOINT)
        if report.seconds >= limit:
            break
        steps *= 4
    return {"seconds": report.seconds / report.steps, "steps": report.steps, "threads": torch.get_num_threads()}


def _stored_step(working: Path) -> int:
    """The step of the latest snapshot; 0 if there is none."""
    path = working / _SNAPSHOT
    return int(read_json(path)["step"]) if path.exists() else 0


def _architecture(options: TrainOptions, pairs: Sequence[Pair]) -> tuple[ModelConfig, TextTokenizer]:
    """The network and the tokenizer of a training on these pairs."""
    chosen = all_hyperparameters("transformer", options.preset, options.hyperparameters or {})
    vocab, least, tokens = (chosen[name] for name in ("vocab", "min_frequency", "tokens"))
    tokenizer = TextTokenizer.train(pairs, vocab, least, tokens=tokens)
    config = ModelConfig(**{each.name: chosen[each.name] for each in fields(ModelConfig)})
    return evolve(config, vocab=tokenizer.size), tokenizer


@contextmanager
def _state(out: Path, config: ModelConfig, steps: int) -> Iterator[tuple[dict[str, Tensor], Progress]]:
    """The state and the progress of the training that was stopped in a checkpoint's working folder."""
    job = read_json(out.with_name(f"{out.name}.training") / _SNAPSHOT)["job"]
    parts = ("weights", *_MOMENTS)
    state = {f"{part}.{name}": torch.zeros(shape) for part in parts for name, shape in config.shapes().items()}
    with working_folder(out, job, resume=True) as stored:
        yield state, stored.load(state, steps)


@torch.inference_mode()
def _exact(
    config: ModelConfig, tokenizer: TextTokenizer, state: Mapping[str, Tensor], pairs: Sequence[Pair]
) -> tuple[int, int]:
    """How many of a sample of pairs are predicted exactly, and how many that are."""
    model = Decoder(config, tokenizer.kinds())
    model.load_state_dict({name: state[f"weights.{name}"] for name in config.shapes()})
    device = inference_device()
    model.to(device).eval()
    chosen = np.random.default_rng(0).permutation(len(pairs))[:_MEASURED]
    examples = tokenise({0: [pairs[int(row)] for row in chosen]}, tokenizer)
    wrong = 0
    for rows in np.split(np.arange(len(examples)), range(_BATCH, len(examples), _BATCH)):
        batch = collate(examples, rows, "target").to(device)
        best = model.project(model.hidden(batch.input_ids).flatten(0, 1)[batch.positions]).argmax(-1)
        wrong += len(set(batch.rows[best != batch.labels].tolist()))
    return len(examples) - wrong, len(examples)


def _pack(path: Path, state: Mapping[str, Tensor], progress: Progress, job: str, metrics: Path) -> int:
    """Write a state with rounded moments; returns the file's size in bytes."""
    arrays: dict[str, Any] = {
        name: _planes(tensor.numpy(), rounded=name.startswith(_MOMENTS)) for name, tensor in state.items()
    }
    arrays |= {
        "job": np.array(job),
        "progress": np.array([progress.step, progress.tokens, progress.seconds]),
        "metrics": np.frombuffer(read_bytes(metrics, _LARGEST), np.uint8),
    }
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        np.savez_compressed(file, **arrays)
    part.replace(path)
    return path.stat().st_size


def _planes(array: NDArray[np.float32], *, rounded: bool) -> NDArray[np.uint8]:
    """The first bytes of all numbers, then the second ones, and so on, (4, *shape): alike bytes compress together."""
    bits = np.ascontiguousarray(array).view(np.uint32)
    if rounded:
        bits = (bits + (1 << _DROPPED - 1)) & np.uint32(0xFFFFFFFF >> _DROPPED << _DROPPED)
    return np.moveaxis(bits[..., None].view(np.uint8), -1, 0).copy()


def _unpack(path: Path, out: Path) -> None:
    """Write the state in a file as the snapshot from which the training of a checkpoint goes on."""
    with np.load(path) as file:
        notes = {name: file[name] for name in ("job", "progress", "metrics")}
        state = {name: _tensor(file[name]) for name in file.files if name not in notes}
    step, tokens, seconds = notes["progress"].tolist()
    working = out.with_name(f"{out.name}.training")
    working.mkdir(parents=True, exist_ok=True)
    (working / METRICS).write_bytes(notes["metrics"].tobytes())
    with working_folder(out, str(notes["job"]), resume=True) as folder:
        folder.store(Progress(int(step), int(tokens), seconds), state)


def _tensor(planes: NDArray[np.uint8]) -> Tensor:
    return torch.from_numpy(np.moveaxis(planes, 0, -1).copy().view(np.float32)[..., 0])


def _curves(metrics: Path, after: int) -> dict[str, list[list[float]]]:
    """The loss, and the shares of exact training and held-out pairs, at steps after a given one."""
    lines = [json.loads(line) for line in read_bytes(metrics, _LARGEST).splitlines()]
    lines = [line for line in lines if line["step"] > after]
    losses = [[line["step"], round(line["loss"], 6)] for line in lines if "loss" in line]
    exact = [
        [line["step"], line["train_exact"], line["heldout_exact"]]
        for line in lines
        if line.get("heldout_exact") is not None
    ]
    return {"losses": losses[:: -max(1, len(losses) // _POINTS)][::-1], "exactness": exact}
