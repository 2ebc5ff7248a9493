"""The bar of a progress on a terminal."""

from collections.abc import Callable, Iterable

from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from coc_core.cli.progress import Count, Total, place_of


def _words(template: str) -> TextColumn:
    return TextColumn(template, markup=False)


class Bar(Progress):
    """A bar that asks where it stands whenever it is drawn."""

    def __init__(self, console: Console, label: str, total: Total, count: Count, note: Callable[[], str]):
        super().__init__(
            _words("{task.description}"),
            BarColumn(),
            _words("{task.fields[place]}"),
            _words("{task.fields[note]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            refresh_per_second=8,
        )
        self._total, self._count, self._note = total, count, note
        self.add_task(label, total=None, place="", note="")

    def get_renderables(self) -> Iterable[RenderableType]:
        for task in self.task_ids:
            total, count = self._total(), self._count()
            self.update(task, total=total, completed=count, place=place_of(count, total), note=self._note())
        return super().get_renderables()
