"""SHA-256 sums of pairs and of a whole job, computed without holding all of their text in memory."""

import hashlib
import json
from collections.abc import Sequence

from attrs import asdict, frozen

from coc_core.models import Pair, TrainingJob
from coc_transformer.training.hyperparameters import Hyperparameters


def fingerprint(pairs: Sequence[Pair]) -> str:
    """The SHA-256 sum of the pairs as a compact JSON list of [prompt, target]."""
    digest = hashlib.sha256(b"[")
    for index, pair in enumerate(pairs):
        digest.update((b"," if index else b"") + json.dumps(pair, separators=(",", ":")).encode())
    digest.update(b"]")
    return digest.hexdigest()


@frozen
class Fingerprints:
    """The sum of a job, and those of the training and held-out pairs of each of its dialects."""

    job: str
    pairs: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, job: TrainingJob, config: Hyperparameters, init: str | None) -> "Fingerprints":
        """Compute the sums.

        The job's sum covers everything that the result depends on, but not where the result goes.

        Args:
            job: The job.
            config: Its hyperparameters.
            init: The fingerprint of the checkpoint that the training is initialised from.
        """
        pairs = tuple(
            (fingerprint(training_sets.train), fingerprint(training_sets.heldout))
            for training_sets in job.training_sets
        )
        facts = [
            [training_sets.dialect for training_sets in job.training_sets],
            pairs,
            asdict(config),
            init,
            *([test.n, fingerprint(test.pairs)] for each in job.training_sets for test in each.tests),
        ]
        return cls(hashlib.sha256(json.dumps(facts).encode()).hexdigest(), pairs)
