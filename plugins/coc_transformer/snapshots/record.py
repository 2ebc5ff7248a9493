"""What `snapshot.json` says of a training: how far it has come, and the sums by which damage is found."""

from hashlib import sha256
from json import dumps
from typing import Any

from attrs import asdict, evolve, field, frozen, validators

STATE = r"state-[0-9]{1,9}\.safetensors"
"""The name of a state's file, as a regular expression."""

_COUNT: Any = validators.ge(0)


@frozen
class Progress:
    """How far a training has come: steps, tokens and seconds."""

    step: int = field(default=0, validator=_COUNT)
    tokens: int = field(default=0, validator=_COUNT)
    seconds: float = field(default=0.0, validator=_COUNT)


@frozen
class Snapshot:
    """The contents of `snapshot.json`.

    Attributes:
        job: The fingerprint of the job.
        metrics: The length of the metrics in bytes.
        metrics_sha256: Their SHA-256.
        state: The name of the state's file.
        sha256: Its SHA-256.
        digest: The SHA-256 of everything else.
        stretches: What some older versions kept; their digest includes it.
    """

    job: str
    step: int = field(validator=_COUNT)
    tokens: int = field(validator=_COUNT)
    seconds: float = field(validator=_COUNT)
    metrics: int = field(validator=_COUNT)
    metrics_sha256: str
    state: str = field(validator=validators.matches_re(STATE))
    sha256: str
    digest: str
    stretches: tuple[Any, ...] = ()

    @classmethod
    def sealed(cls, progress: Progress, **others: Any) -> "Snapshot":
        """A snapshot with its digest."""
        unsealed = cls(**asdict(progress), **others, digest="")
        return evolve(unsealed, digest=unsealed.seal())

    def seal(self) -> str:
        """The digest that goes with the other values."""
        facts = asdict(evolve(self, digest=""), filter=lambda key, value: key.name != "stretches" or bool(value))
        return sha256(dumps(facts).encode()).hexdigest()

    @property
    def progress(self) -> Progress:
        """How far the training had come."""
        return Progress(self.step, self.tokens, self.seconds)
