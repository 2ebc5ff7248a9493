"""Which plugin an exception came from."""

from collections.abc import Iterator
from pathlib import Path

from coc_core.errors import PluginError
from coc_core.plugin.files import FileLoader
from coc_core.plugin.hookspecs import DISTRIBUTION
from coc_core.plugin.loading import distribution_of, installed
from coc_core.text import places


def plugin_at_fault(error: BaseException) -> str | None:
    """Return the third-party plugin whose code raised an exception or let it pass; None if there is none."""
    return next((plugin for plugin, _ in _plugin_frames(error)), None)


def plugin_frame(error: BaseException) -> str | None:
    """Return the innermost frame in a third-party plugin, as `file:line in function`; None if there is none.

    If the exception has no such frame, those of its causes are searched.
    """
    cause: BaseException | None = error
    while cause is not None:
        if places := [place for _, place in _plugin_frames(cause)]:
            return places[-1]
        cause = cause.__cause__
    return error.where or None if isinstance(error, PluginError) else None


def _plugin_frames(error: BaseException) -> Iterator[tuple[str, str]]:
    """Yield the plugin and place of each frame of third-party plugins in an exception's traceback, outermost first."""
    third_party = {point.module.split(".")[0]: point for point in installed() if distribution_of(point) != DISTRIBUTION}
    for module, place, frame in places(error):
        loader = frame.f_globals.get("__loader__")
        if isinstance(loader, FileLoader):
            yield f"{loader.name!r} of {Path(loader.path).name}", place
        elif point := third_party.get(module.partition(".")[0]):
            yield f"{point.name!r} of {distribution_of(point)}", place
