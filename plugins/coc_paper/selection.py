"""What is reproduced of an item: its tasks for what is set of it, the parts that are asked for, and its section."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

from attrs import evolve, frozen

from coc_core.errors import PluginError, UsageError
from coc_core.plugin import Registry, suggest
from coc_core.text import counted, described
from coc_paper import report
from coc_paper.item import Budget, Item, Parameters, Tasks
from coc_paper.items import item_of, item_specs
from coc_paper.schedule import Schedule
from coc_paper.settings import parameters_of, sample
from coc_paper.tasks import Task, with_needs
from coc_paper.work import Done
from coc_workers.attribution import attributed

Changes = Mapping[str, Mapping[str, str]]
"""What is set: for an item, texts by parameter."""


@frozen
class Selection:
    """An item, what is set of it, all of its tasks, and those of the parts that are asked for."""

    item: Item
    parameters: Parameters
    changed: Mapping[str, str]
    tasks: Tasks
    wanted: Sequence[Task] = ()

    @classmethod
    def of(cls, registry: Registry, name: str, budget: Budget, changes: Changes) -> "Selection":
        """Return the item of that name, with none of its parts asked for.

        Raises:
            UsageError: There is no such item, or something can't be set.
            PluginError: A plugin offers something else than an item, or it raises an exception.
        """
        item, texts = item_of(registry, name), changes.get(name, {})
        with attributed():
            parameters = parameters_of(item, budget, texts)
            tasks = item.tasks(parameters)
        if not isinstance(tasks, Mapping) or not all(isinstance(task, Task) for task in tasks.values()):
            raise PluginError(f"the tasks of the item {name} are not a mapping of names to tasks")
        return cls(item, parameters, texts, tasks)

    def parts(self, pattern: str) -> list[Task]:
        """Return the part of that name, or else those that match; UsageError if none does."""
        if pattern in self.tasks:
            return [self.tasks[pattern]]
        found = [task for part, task in self.tasks.items() if fnmatchcase(part, pattern)]
        if not found:
            budget = self.parameters.budget
            raise UsageError(
                f"{self.item.name} has no part {pattern!r:.80} with --budget {budget}",
                remedy=suggest(pattern, self.tasks),
            )
        return found

    def section(self, schedule: Schedule) -> report.Section:
        """Return the section with all that there is of the item, whether it was asked for now or computed before."""
        every, store = with_needs(self.tasks.values()), schedule.store
        done = {key: found for key, task in every.items() if (found := store.find(task) or store.other(task))}
        results = {name: done[task.key] for name, task in self.tasks.items() if task.key in done}
        failures = [f"{every[key].doing}: {reason}" for key, reason in schedule.failed.items() if key in every]
        missing = len(every.keys() - done.keys() - schedule.failed.keys())
        section = self._reported(results)
        if not results:
            section = evolve(section, meaning=f"Nothing {'could be' if failures else 'has been'} computed.")
        seconds: dict[str, float] = {}
        for each in done.values():
            seconds[each.machine] = seconds.get(each.machine, 0.0) + each.seconds
        are = "is" if missing == 1 else "are"
        todo = f"Of its {counted(len(every), 'computation')}, {missing} {are} still to be made."
        return evolve(
            section,
            name=self.item.name,
            sample="" if self.changed else sample(self.item, self.parameters.budget),
            changed=[f"{name}={text}" for name, text in self.changed.items()],
            seconds=seconds,
            failures=failures,
            missing=todo if missing else "",
        )

    def _reported(self, results: Mapping[str, Done]) -> report.Section:
        """Return the item's report, which says what results of other code have a part in."""
        others: dict[str, list[str]] = {}
        for name, found in results.items():
            if found.other:
                others.setdefault(found.other, []).append(f"`{name}`")
        who = [f"{', '.join(names)}: {words}" for words, names in others.items()]
        try:
            return evolve(self._section(results), other=who)
        except Exception as error:
            if not others:
                raise
            left_out = f"; left out, since they have another form ({described(error)})"
        own = {name: found for name, found in results.items() if not found.other}
        return evolve(self._section(own), other=[f"{each}{left_out}" for each in who])

    def _section(self, results: Mapping[str, Done]) -> report.Section:
        with attributed():
            section = self.item.report(self.parameters, results)
        if not isinstance(section, report.Section):
            raise PluginError(f"the report of the item {self.item.name} is not a `coc_paper.report.Section`")
        return section


def selected(registry: Registry, names: Sequence[str], budget: Budget, changes: Changes) -> list[Selection]:
    """Return the items of names such as `ITEM` and `ITEM:PART`, in the items' order, with these parts asked for.

    What is set of other items is checked, too. Errors as for `Selection.of` and `Selection.parts`.
    """
    found = {name: Selection.of(registry, name, budget, changes) for name in changes}
    wanted: dict[str, list[Task]] = {}
    for name in names:
        item, colon, pattern = name.partition(":")
        if item not in found:
            found[item] = Selection.of(registry, item, budget, changes)
        every = found[item].tasks.values()
        wanted.setdefault(item, []).extend(found[item].parts(pattern) if colon else every)
    return [evolve(found[item], wanted=wanted[item]) for item in item_specs(registry) if item in wanted]
