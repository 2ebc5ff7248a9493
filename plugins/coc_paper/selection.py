"""What is reproduced: items with what is set of them, the parts that are asked for, and their sections."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from attrs import evolve, fields

from coc_core.errors import UsageError
from coc_core.options import Whole
from coc_core.plugin import ItemSpec, Registry, suggest
from coc_core.text import counted, format_sizes, quoted
from coc_paper.item import Budget, Item, TrainingItem, naming
from coc_paper.report import Section
from coc_paper.settings import hyperparameters_of
from coc_paper.store import Store
from coc_paper.tasks import Task
from coc_problems import parse_sizes

Changes = Mapping[str, Mapping[str, str]]
"""What is set: for an item, texts by parameter."""


def item_names(registry: Registry) -> list[str]:
    """Return the names of the items, in the order in which plugins offer them, coc's first."""
    offered = {spec.name for spec in registry.specs(ItemSpec)}
    order = (spec.name for plugin in registry.plugins for spec in plugin.specs if isinstance(spec, ItemSpec))
    return [name for name in dict.fromkeys(order) if name in offered]


def item_of(registry: Registry, name: str, budget: Budget, changes: Changes) -> Item:
    """Return the item of that name, with what is set of it.

    UsageError if there is no such item or parameter, or no such value of it; PluginError if the item can't be used.
    """
    spec = registry.find(ItemSpec, name)
    kind: type[Item] = registry.load(spec, spec.item)
    with naming(name):
        kinds = {each.name: each.metadata["kind"] for each in fields(kind) if "help" in each.metadata}
        texts = changes.get(name, {})
        values: dict[str, Any] = {"name": name, "budget": budget, "changed": texts}
        for key, text in texts.items():
            if key in kinds:
                values[key] = _read(getattr(kind(), key), kinds[key], text, f"--set {name}.{key}")
            elif issubclass(kind, TrainingItem):
                values.setdefault("hyperparameters", {})[key] = text
            else:
                remedy = suggest(key, kinds) if kinds else "nothing of it can be set"
                raise UsageError(f"the item {name} has no parameter {quoted(key, 40)}", remedy=remedy)
        item = kind(**values)
        try:
            for task in item.every().values():  # an item that can't be used is noticed here
                if texts and "preset" in task.arguments:
                    hyperparameters_of(task)
        except UsageError as error:
            known = (
                f"its parameters are {', '.join(kinds)}; for hyperparameters, {error.remedy or 'see coc train --help'}"
            )
            raise UsageError(f"--set for {name}: {error.message}", remedy=known) from None
        return item


def _read(default: Any, whole: Whole, text: str, where: str) -> Any:
    """Return the value of a text, of the type that a parameter has by default."""
    if isinstance(default, str):
        return text
    try:
        return whole.read(text) if isinstance(default, int) else tuple(map(whole.check, parse_sizes(text)))
    except (UsageError, ValueError) as error:
        words = getattr(error, "message", str(error)).rstrip(".").replace("sizes", "numbers")
        raise UsageError(f"{where}={quoted(text, 40)[1:-1]}: {words}", remedy=getattr(error, "remedy", "")) from None


def parameters_of(kind: type[Item]) -> list[dict[str, str]]:
    """Return each parameter of an item: its name, what it is, and its value for each budget, as `--set` takes it."""
    found = []
    for each in fields(kind):
        if "help" in each.metadata:
            values = {str(budget): getattr(kind(budget=budget), each.name) for budget in Budget}
            texts = {key: format_sizes(v) if isinstance(v, tuple) else str(v) for key, v in values.items()}
            found.append({"name": each.name, "summary": each.metadata["help"], **texts})
    return found


def sample(item: Item) -> str:
    """Return what the budget of an item leaves out, in a sentence; an empty text if nothing."""
    kind = type(item)
    every, own = ([task.call for task in kind(budget=each).tasks().values()] for each in (Budget.full, item.budget))
    values = [(each["name"], each["quick"], each["full"]) for each in parameters_of(kind)]
    less = "; ".join(f"{name} {quick} instead of {full}" for name, quick, full in values if quick != full)
    return f"Less than `--budget full` computes{less and ': '}{less}." if every != own else ""


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
        tasks, pattern = items[item].tasks(), pattern if colon else "*"
        found = [pattern] if pattern in tasks else [part for part in tasks if fnmatchcase(part, pattern)]
        if not found:
            what = f"{item} has no part {pattern!r:.80} with --budget {budget}"
            raise UsageError(what, remedy=suggest(pattern, tasks))
        wanted.setdefault(item, []).extend(tasks[part] for part in found)
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

    `failed` says why a task could not be computed, by its key.
    """
    every, seconds, others = item.every(), dict[str, float](), dict[str, list[str]]()
    done = {key: found for key, task in every.items() if (found := store.find(task))}
    parts = {task.key: part for part, task in item.tasks().items()}
    results = {part: done[key] for key, part in parts.items() if key in done}
    for each in done.values():
        seconds[each.machine] = seconds.get(each.machine, 0.0) + each.seconds
    for part, each in results.items():
        if each.other:
            others.setdefault(each.other, []).append(f"`{part}`")
    missing = len(every.keys() - done.keys() - failed.keys())
    todo = f"Of its {counted(len(every), 'computation')}, {missing} {'is' if missing == 1 else 'are'} still to be made."
    failures = [f"{parts.get(key, task)}: {failed[key]}" for key, task in every.items() if key in failed]
    with naming(item.name, "--refresh computes results of other code again" if others else ""):
        section = item.report(results)
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
            other=[f"{', '.join(names)}: {words}" for words, names in others.items()],
        )
