"""What is reproduced: items with what is set of them, the parts that are asked for, and their sections."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from attrs import evolve

from coc_core.errors import UsageError
from coc_core.plugin import ItemSpec, Registry, suggest
from coc_core.text import counted, described
from coc_paper.item import Budget, Item, Results, naming
from coc_paper.report import Section
from coc_paper.settings import Changes, item_with, sample
from coc_paper.store import Store
from coc_paper.tasks import Task


def item_names(registry: Registry) -> list[str]:
    """Return the names of the items, in the order in which plugins offer them, coc's first."""
    offered = {spec.name for spec in registry.specs(ItemSpec)}
    order = (spec.name for plugin in registry.plugins for spec in plugin.specs if isinstance(spec, ItemSpec))
    return [name for name in dict.fromkeys(order) if name in offered]


def item_of(registry: Registry, name: str, budget: Budget, changes: Changes) -> Item:
    """Return the item of that name, with what is set of it.

    Raises:
        UsageError: There is no such item, or something can't be set.
        PluginError: A plugin offers something else than an item, or it raises an exception.
    """
    spec = registry.find(ItemSpec, name)
    kind = registry.load(spec, spec.item)
    with naming(name):
        item = item_with(name, kind, budget, changes.get(name, {}))
        item.every()  # an item that can't be used is noticed here
        return item


def selected(
    registry: Registry, names: Sequence[str], budget: Budget, changes: Changes
) -> list[tuple[Item, list[Task]]]:
    """Return the items of names such as `ITEM` and `ITEM:PART`, in the items' order, with the tasks of these parts.

    What is set of other items is checked, too. Errors as for `item_of`; UsageError for a part that there is not.
    """
    patterns: dict[str, list[str]] = {name: [] for name in changes}
    for name in names:
        item, colon, pattern = name.partition(":")
        patterns.setdefault(item, []).append(pattern if colon else "*")
    items = {name: item_of(registry, name, budget, changes) for name in patterns}
    wanted = {name: [task for each in found for task in _parts(items[name], each)] for name, found in patterns.items()}
    return [(items[name], wanted[name]) for name in item_names(registry) if wanted.get(name)]


def _parts(item: Item, pattern: str) -> list[Task]:
    """Return the part of that name, or else those that match; UsageError if none does."""
    tasks = item.tasks()
    found = [
        task for part, task in tasks.items() if part == pattern or (pattern not in tasks and fnmatchcase(part, pattern))
    ]
    if not found:
        what = f"{item.name} has no part {pattern!r:.80} with --budget {item.budget}"
        raise UsageError(what, remedy=suggest(pattern, tasks))
    return found


def progress_of(item: Item, store: Store) -> dict[str, Any]:
    """Return how many tasks have results, how many only those of other code, and which parts are done."""
    every = item.every()
    found = {key: each for key, task in every.items() if (each := store.find(task))}
    done = {key for key, each in found.items() if not each.other}
    parts = {part: task.key in done for part, task in item.tasks().items()}
    return {"done": len(done), "tasks": len(every), "other": len(found) - len(done), "parts": parts}


def section_of(item: Item, store: Store, failed: Mapping[str, str]) -> Section:
    """Return the section with all that there is of an item, whether it was asked for now or computed before.

    Args:
        item: The item.
        store: Where results are.
        failed: Why a task could not be computed, by its key.
    """
    every, seconds, others = item.every(), dict[str, float](), dict[str, list[str]]()
    done = {key: found for key, task in every.items() if (found := store.find(task))}
    results = {part: done[task.key] for part, task in item.tasks().items() if task.key in done}
    for each in done.values():
        seconds[each.machine] = seconds.get(each.machine, 0.0) + each.seconds
    for part, each in results.items():
        if each.other:
            others.setdefault(each.other, []).append(f"`{part}`")
    failures = [f"{task.doing}: {failed[key]}" for key, task in every.items() if key in failed]
    missing = len(every.keys() - done.keys() - failed.keys())
    todo = f"Of its {counted(len(every), 'computation')}, {missing} {'is' if missing == 1 else 'are'} still to be made."
    with naming(item.name):
        section, left_out = _report(item, results)
        return evolve(
            section,
            name=item.name,
            title=section.title or item.title,
            meaning=section.meaning if results else f"Nothing {'could be' if failures else 'has been'} computed.",
            sample="" if item.changed else sample(item),
            changed=[f"{name}={text}" for name, text in item.changed.items()],
            seconds=seconds,
            failures=failures,
            missing=todo if missing else "",
            other=[f"{', '.join(parts)}: {words}{left_out}" for words, parts in others.items()],
        )


def _report(item: Item, results: Results) -> tuple[Section, str]:
    """Return an item's report, and why results of other code are left out of it, if they are."""
    own = {part: done for part, done in results.items() if not done.other}
    try:
        return item.report(results), ""
    except Exception as error:
        if len(own) == len(results):
            raise
        return item.report(own), f"; left out, since they have another form ({described(error)})"
