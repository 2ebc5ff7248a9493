"""The training loop: AdamW, a warm-up and a cosine to zero, and exactness measured as it goes.

Weight decay applies to the matrices and embeddings, not to biases and LayerNorms. The run always ends where the
schedule ends: to stop when the held-out pairs are exact would be to choose the model by them.
"""

import math
import random
import time
from collections.abc import Callable, Sequence

import torch
from attrs import frozen
from torch import Tensor
from torch.nn import functional

from coc_core.errors import UsageError
from coc_core.training import TrainingProgress
from coc_transformer.config import ModelConfig, TrainingConfig
from coc_transformer.data import IGNORED, Example, collate, shuffled
from coc_transformer.model import Decoder

_BETAS = (0.9, 0.95)
_REPORT_INTERVAL = 10  # steps
_MEASURED_AT_ONCE = 256  # sequences


@frozen
class Trained:
    """A trained model, on the CPU and in evaluation mode, and what it took."""

    model: Decoder
    steps: int
    seconds: float


def train(
    model_config: ModelConfig,
    config: TrainingConfig,
    learned: Sequence[Example],
    heldout: Sequence[Example],
    report: Callable[[TrainingProgress], None],
) -> Trained:
    """Train a model from new weights. On one machine's CPU the same seed and number of threads give the same bits.

    Raises UsageError if the loss stops being finite.
    """
    begun = time.perf_counter()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    steps = min(config.steps, config.epochs * math.ceil(len(learned) / config.batch_size))
    with torch.random.fork_rng():  # leaves the caller's random numbers alone
        torch.manual_seed(config.seed)
        model = Decoder(model_config)
        model.initialise()
        model.to(device)
        optimizer = _optimizer(model, config)
        batches = shuffled(learned, config.batch_size, random.Random(f"batches {config.seed}"))
        exact: tuple[float | None, float | None] = (None, None)
        for step in range(1, steps + 1):
            for group in optimizer.param_groups:
                group["lr"] = learning_rate(step, steps, config)
            batch = next(batches)
            value = _step(model, optimizer, config.clip, batch.ids.to(device), batch.labels.to(device))
            if step % config.eval_interval == 0:
                exact = (exactness(model, learned, device), exactness(model, heldout, device))
            if step % _REPORT_INTERVAL == 0 or step == steps:
                loss = value.item()
                if not math.isfinite(loss):
                    raise UsageError(f"the loss at step {step} is {loss}", remedy="lower the learning rate 'lr'")
                report(TrainingProgress(step, steps, loss, *exact))
    return Trained(model.cpu().eval(), steps, time.perf_counter() - begun)


def learning_rate(step: int, steps: int, config: TrainingConfig) -> float:
    """The rate for `step`, counted from 1: a line up to `lr` at `warmup`, then a cosine down to zero after `steps`."""
    warmup = min(config.warmup, steps)
    if step <= warmup:
        return config.lr * step / warmup
    return config.lr * 0.5 * (1 + math.cos(math.pi * (step - warmup) / (steps - warmup + 1)))


def loss_of(logits: Tensor, labels: Tensor) -> Tensor:
    """The mean cross-entropy over the tokens that have labels; (B, T, V) and (B, T) to a scalar."""
    return functional.cross_entropy(logits.float().flatten(0, 1), labels.flatten(), ignore_index=IGNORED)


@torch.inference_mode()
def exactness(model: Decoder, examples: Sequence[Example], device: torch.device) -> float | None:
    """The fraction of examples that greedy decoding answers exactly, None of none.

    Decoding follows the target up to its first wrong token, so it suffices to look, in one pass over prompt and
    target, whether every target token is the most likely one where it stands.
    """
    was_training = model.training
    model.eval()
    right = 0
    for start in range(0, len(examples), _MEASURED_AT_ONCE):
        batch = collate(examples[start : start + _MEASURED_AT_ONCE])
        guesses, labels = model(batch.ids.to(device)).argmax(-1), batch.labels.to(device)
        right += int(((guesses == labels) | (labels == IGNORED)).all(1).sum())
    model.train(was_training)
    return right / len(examples) if examples else None


def _step(model: Decoder, optimizer: torch.optim.Optimizer, clip: float, ids: Tensor, labels: Tensor) -> Tensor:
    with torch.autocast(ids.device.type, dtype=torch.bfloat16, enabled=ids.device.type == "cuda"):
        logits = model(ids)
    loss = loss_of(logits, labels)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
    optimizer.step()
    return loss.detach()


def _optimizer(model: Decoder, config: TrainingConfig) -> torch.optim.Optimizer:
    matrices = [parameter for parameter in model.parameters() if parameter.dim() > 1]
    vectors = [parameter for parameter in model.parameters() if parameter.dim() == 1]
    groups = [{"params": matrices, "weight_decay": config.weight_decay}, {"params": vectors, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=config.lr, betas=_BETAS)
