"""Libraries that few tests need and that take long to import: collecting the tests does without them."""

import warnings
from importlib import import_module
from importlib.util import find_spec

import pytest


class Late:
    """A module that is imported when a test uses one of its attributes."""

    def __init__(self, name):
        self._name = name

    def __getattr__(self, attribute):
        if attribute.startswith("_"):  # pytest looks for these wherever it looks for tests
            raise AttributeError(attribute)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return getattr(import_module(self._name), attribute)


def needs(library):
    """Skips the tests of a module where an optional library is not installed."""
    return pytest.mark.skipif(find_spec(library) is None, reason=f"{library} is not installed")
