"""Problems on the lines of a file, as JSON, and items of datasets, whose answers the scorers of reasoning-gym take."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from coc_core.domain import Domain, PlanFormat, TranslatedItem, metadata, numbered_lines, translated
from coc_core.errors import UnsupportedError, UsageError
from coc_core.plugin import DomainSpec, Registry
from coc_core.text import quoted


def answer(domain: Domain[Any, Any, Any, Any], problem: Any) -> PlanFormat[Any, Any, Any]:
    """Return how the answer is written to a problem that no item states; UsageError where that takes an item."""
    reader: Any = domain
    try:
        return reader.answer_to({}, problem)  # type: ignore[no-any-return]
    except KeyError:
        raise UsageError(
            f"answers of {domain.name} are for items of {', '.join(sorted(reader.datasets))}",
            remedy="run these with `coc eval --problems ITEMS.jsonl --plans DIR`",
        ) from None


def json_lines(domain: Domain[Any, Any, Any, Any], path: Path) -> Iterator[tuple[int, str | TranslatedItem]]:
    """Yield a problem on each line: a JSON object, an item, or a JSON text in the paper's notation."""
    for number, line in numbered_lines(path):
        read = _read(line)
        found: Any = read if isinstance(read, str) else line
        if told := metadata(read):
            with suppress(ValueError, UnsupportedError):  # it is refused when it is parsed
                found = translated(domain, told)
        yield number, found


def items(registry: Registry, path: Path) -> Iterator[tuple[int, TranslatedItem | UnsupportedError]]:
    """Yield the items in a file, each as a problem of the first domain that has its dataset, or why none has it."""
    domains = [registry.create(DomainSpec, spec.name) for spec in registry.specs(DomainSpec)]
    for number, line in numbered_lines(path):
        where = f"{path}, line {number}"
        if (told := metadata(_read(line))) is None:
            raise UsageError(f"{where} does not tell its domain", remedy="name it with --domain")
        yield number, _of_any(domains, told, where)


def _read(line: str) -> Any:
    """Return what a line of JSON has; None if it is not JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _of_any(domains: Sequence[Any], told: Mapping[str, Any], where: str) -> TranslatedItem | UnsupportedError:
    for domain in domains:
        try:
            return translated(domain, told)
        except UnsupportedError:
            continue
        except ValueError as error:
            raise UsageError(f"{where}: {error}") from None
    return UnsupportedError(f"{where}: coc has no problems of {quoted(told['source_dataset'], 40)}")
