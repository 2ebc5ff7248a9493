"""A distribution that is not installed: its name and version, and what it requires."""

from types import SimpleNamespace


class FakeDistribution(SimpleNamespace):
    __hash__ = object.__hash__
