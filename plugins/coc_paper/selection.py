"""What is reproduced: items with what is set of them, the parts that are asked for, and their sections."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from attrs import evolve

from coc_core.errors import UsageError
from coc_core.plugin import ItemSpec, Registry, suggest
from coc_core.text import counted, described
from coc_paper.item import Budget, Item, naming
from coc_paper.report import Section
from coc_paper.settings import item_with, sample
from coc_paper.store import Store
from coc_paper.tasks import Task

Changes = Mapping[str, Mapping[str, str]]
"""What is set: for an item, texts by parameter."""


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
    items = {name: item_of(registry, name, budget, changes) for name in changes}
    wanted: dict[str, list[Task]] = {}
    for name in names:
        item, colon, pattern = name.partition(":")
        items[item] = items.get(item) or item_of(registry, item, budget, changes)
        tasks = items[item].tasks()
        matching = [task for part, task in tasks.items() if fnmatchcase(part, pattern if colon else "*")]
        found = [tasks[pattern]] if pattern in tasks else matching
        if not found:
            what = f"{item} has no part {pattern!r:.80} with --budget {budget}"
            raise UsageError(what, remedy=suggest(pattern, tasks))
        wanted.setdefault(item, []).extend(found)
    return [(items[name], wanted[name]) for name in item_names(registry) if name in wanted]


def progress_of(item: Item, store: Store) -> dict[str, Any]:
    """Return how many tasks have results, how many only those of other code, and which parts are done."""
    found = {key: store.find(task) for key, task in item.every().items()}
    done = {key for key, each in found.items() if each and not each.other}
    other = sum(each is not None for each in found.values()) - len(done)
    parts = {part: task.key in done for part, task in item.tasks().items()}
    return {"done": len(done), "tasks": len(found), "other": other, "parts": parts}


def section_of(item: Item, store: Store, failed: Mapping[str, str]) -> Section:
    """Return the section with all that there is of an item, whether it was asked for now or computed before.

    Args:
        item: The item.
        store: Where results are.
        failed: Why a task could not be computed, by its key.
    """
    every, labels, seconds, others = item.every(), item.labels(), dict[str, float](), dict[str, list[str]]()
    done = {key: found for key, task in every.items() if (found := store.find(task))}
    results = {part: done[task.key] for part, task in item.tasks().items() if task.key in done}
    for each in done.values():
        seconds[each.machine] = seconds.get(each.machine, 0.0) + each.seconds
    for part, each in results.items():
        if each.other:
            others.setdefault(each.other, []).append(f"`{part}`")
    missing, left_out = len(every.keys() - done.keys() - failed.keys()), ""
    todo = f"Of its {counted(len(every), 'computation')}, {missing} {'is' if missing == 1 else 'are'} still to be made."
    with naming(item.name):
        try:
            section = item.report(results)
        except Exception as error:
            if not others:
                raise
            section = item.report({part: found for part, found in results.items() if not found.other})
            left_out = f"; left out, since they have another form ({described(error)})"
        failures = [f"{labels.get(key, task.function)}: {failed[key]}" for key, task in every.items() if key in failed]
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
