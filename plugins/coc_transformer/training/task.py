"""What a training loop works on: the tokenised pairs of a job, and how its batches are drawn."""

import math
from collections.abc import Callable, Sequence
from itertools import chain

import numpy as np
from attrs import frozen
from torch import Tensor

from coc_core.errors import UsageError
from coc_learn.trainer import TrainingJob, TrainingProgress, TrainingSet
from coc_transformer.batches import (
    BatchSampler,
    Curriculum,
    DigitPositions,
    Examples,
    NamePermutation,
    PrioritisedReplay,
    bucket_families,
    check_lengths,
    tokenise,
)
from coc_transformer.files.snapshot import WorkingFolder
from coc_transformer.tokenizer import TextTokenizer
from coc_transformer.training.hardware import Hardware
from coc_transformer.training.hyperparameters import Hyperparameters
from coc_transformer.training.optimise import Learner


@frozen
class Task:
    """What a training loop works on."""

    config: Hyperparameters
    steps: int  # the step at which the schedule ends
    train: Examples
    heldout: Examples  # which are only measured
    tests: Sequence[Sequence[Examples]]  # of each training set, which are measured once, at the end
    sampler: BatchSampler  # draws the pairs of a step
    replay: PrioritisedReplay  # draws pairs by priority in addition to these
    probes: BatchSampler  # draws the pairs that are scored, but not learned from
    names: NamePermutation | None  # None for a share of 0
    digits: DigitPositions
    curriculum: Curriculum  # replaces long pairs by shorter ones at first
    hardware: Hardware
    working_folder: WorkingFolder  # where snapshots go
    report: Callable[[TrainingProgress], None]

    @classmethod
    def of(
        cls,
        job: TrainingJob,
        dialects: Sequence[str],
        config: Hyperparameters,
        tokenizer: TextTokenizer,
        hardware: Hardware,
        working_folder: WorkingFolder,
        report: Callable[[TrainingProgress], None],
    ) -> "Task":
        """Return the task of a job; `dialects` are those of the tokenizer, in order."""
        sets = {dialects.index(each.dialect): each for each in job.training_sets}
        train = tokenise({number: each.train for number, each in sets.items()}, tokenizer)
        heldout = tokenise({number: each.heldout for number, each in sets.items()}, tokenizer)
        tests = [[tokenise({number: test.pairs}, tokenizer) for test in each.tests] for number, each in sets.items()]
        check_lengths((train, heldout, *chain.from_iterable(tests)), config.max_len)
        parts = [each.train for each in job.training_sets] if config.bucket_share else []
        families = bucket_families(parts, binary=config.bucket_digits == "binary")
        replayed = int(config.prioritised_replay * config.batch_size)
        steps = min(config.steps, config.epochs * math.ceil(len(train) / config.batch_size))
        return cls(
            config,
            steps,
            train,
            heldout,
            tests,
            BatchSampler(len(train), config.batch_size - replayed, config.bucket_share, config.seed, families),
            PrioritisedReplay(len(train), replayed, config.seed),
            BatchSampler(len(train), config.loss_probes, 0.0, config.seed + 1),
            _name_permutation(job, config, tokenizer) if config.name_permutation else None,
            _digit_positions(train, config, tokenizer),
            Curriculum.of(train.lengths, config.curriculum * steps),
            hardware,
            working_folder,
            report,
        )

    def tensors(self, learner: Learner) -> dict[str, Tensor]:
        """Return the state that changes from step to step, by name, not copied."""
        return learner.tensors() | self.replay.tensors()


def interchangeable_names(sets: Sequence[TrainingSet]) -> frozenset[str]:
    """Return the letters of the names that may be permuted in the pairs of all dialects."""
    return frozenset.intersection(*(each.interchangeable_names for each in sets))


def _name_permutation(job: TrainingJob, config: Hyperparameters, tokenizer: TextTokenizer) -> NamePermutation:
    letters, known = interchangeable_names(job.training_sets), tokenizer.names()
    kinds = [np.array(ids) for stem, ids in known.items() if stem in letters]
    if not kinds:
        raise UsageError(
            "'name_permutation' has no names to permute: the domain declares no"
            " interchangeable ones, or they have no tokens of their own",
            remedy="leave it at 0, or train with tokens=exact",
        )
    return NamePermutation(kinds, tokenizer.size, config.name_permutation, config.seed)


def _digit_positions(train: Examples, config: Hyperparameters, tokenizer: TextTokenizer) -> DigitPositions:
    longest, largest = train.longest_number(tokenizer.kinds()), config.digit_positions
    if 0 < largest < longest:
        raise UsageError(
            f"'digit_positions' is {largest}, and the longest number in the pairs has {longest} digits",
            remedy=f"set digit_positions={longest} or more; it should be the length of the longest number to be read",
        )
    known = config.decoder(config.vocab).tables().get(2, largest + 1) - 1
    if largest > known:
        raise UsageError(
            f"'digit_positions' is {largest}, and with 'positions' {config.positions} there are {known}",
            remedy="choose positions=fields, or fewer digit positions",
        )
    return DigitPositions(longest, largest, config.seed)
