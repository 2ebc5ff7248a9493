"""Errors of plugins in other processes, which name the plugin before they leave."""

from collections.abc import Iterator
from contextlib import contextmanager

from coc_core.errors import CocError, PluginError
from coc_core.plugin import plugin_at_fault, plugin_frame
from coc_core.text import described


@contextmanager
def attributed() -> Iterator[None]:
    """Name the plugin and the place in errors that leave the process, and so lose their frames.

    PluginError if code of a third-party plugin raised an exception; another one is raised as it was.
    """
    try:
        yield
    except PluginError as error:
        error.where = plugin_frame(error) or ""
        raise
    except CocError:
        raise
    except Exception as error:
        plugin = plugin_at_fault(error)
        if plugin is None:
            raise
        named = PluginError(f"the plugin {plugin} raised {described(error)}")
        named.where = plugin_frame(error) or ""
        raise named from error
