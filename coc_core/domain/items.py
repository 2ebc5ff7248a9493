"""Items of datasets whose `metadata` state a problem, as those of reasoning-gym do, and the answers to them."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, ClassVar

from attrs import frozen

from coc_core.domain.base import Domain
from coc_core.domain.plans import PlanFormat
from coc_core.domain.translation import Translation
from coc_core.errors import UnsupportedError
from coc_core.text import quoted


class ReadsItems(ABC):
    """A domain that reads items of datasets whose `metadata` state a problem, as those of reasoning-gym do.

    Attributes:
        datasets: The names of these datasets.
    """

    datasets: ClassVar[frozenset[str]]

    @abstractmethod
    def item(self, told: Mapping[str, Any]) -> str:
        """Return the problem in an item's metadata, as text; KeyError, TypeError or ValueError if there is none."""

    @abstractmethod
    def answer_to(self, told: Mapping[str, Any], problem: Any) -> PlanFormat[Any, Any, Any]:
        """Return how the answer to an item is written, such that the dataset's scorer takes it."""


@frozen
class TranslatedItem(Translation):
    """An item as a problem of a domain."""

    language = "reasoning-gym"

    told: Mapping[str, Any]

    @property
    def fingerprint(self) -> str:
        return sha256(json.dumps(self.told, sort_keys=True).encode()).hexdigest()[:16]

    def plan_format(self, domain: Any, problem: Any) -> PlanFormat[Any, Any, Any]:
        form: PlanFormat[Any, Any, Any] = domain.answer_to(self.told, problem)
        return form

    def check(self, domain: Any, problem: Any) -> Callable[[Any], None]:
        return lambda record: None


def metadata(fields: Any) -> Mapping[str, Any] | None:
    """Return what an item, read from JSON, tells of its problem; None if it is no item."""
    told = fields.get("metadata") if isinstance(fields, dict) else None
    return told if isinstance(told, dict) and isinstance(told.get("source_dataset"), str) else None


def translated(domain: Domain[Any, Any, Any, Any], told: Mapping[str, Any]) -> TranslatedItem:
    """Return the problem in an item's metadata; ValueError if there is none, UnsupportedError for another domain's."""
    dataset = told["source_dataset"]
    if not isinstance(domain, ReadsItems) or dataset not in domain.datasets:
        raise UnsupportedError(f"an item of {quoted(str(dataset), 40)} is no problem of {domain.name}")
    try:
        return TranslatedItem(domain.name, domain.item(told), True, told)
    except (LookupError, TypeError, ArithmeticError) as error:
        raise ValueError(f"its metadata state no problem: {error!r:.80}") from None
