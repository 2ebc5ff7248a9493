"""Libraries that a process can't import, as if they were not installed. It needs nothing but Python.

Copied to a folder of PYTHONPATH as `sitecustomize.py`, it hides from each process what HIDDEN_MODULES names: top-level
modules, and distributions as they are named in the file system.
"""

import os
import sys


class Hiding:
    """A finder of modules and distributions in place of another one: it does not find the hidden ones."""

    def __init__(self, finder, hidden):
        self._finder, self._hidden = finder, hidden

    def __getattr__(self, name):
        return getattr(self._finder, name)

    def find_spec(self, name, path=None, target=None):
        return None if name.partition(".")[0] in self._hidden else self._finder.find_spec(name, path, target)

    def find_distributions(self, *context):
        found = getattr(self._finder, "find_distributions", lambda *_: ())(*context)
        return (each for each in found if each._normalized_name not in self._hidden)


def hide(hidden):
    """Hide these modules and distributions in this process, also modules that it has imported."""
    for name in [name for name in sys.modules if name.partition(".")[0] in hidden]:
        del sys.modules[name]
    sys.meta_path[:] = [Hiding(finder, hidden) for finder in sys.meta_path]


if hidden := os.environ.get("HIDDEN_MODULES"):
    hide(frozenset(hidden.split()))
