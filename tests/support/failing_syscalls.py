"""Calls of the system of which one fails."""

import os
from pathlib import Path

OWNERS = {"os": os, "Path": Path}


class Failing:
    """Of `os.fsync`, `Path.rename` or the like the call number `at`, counted from 0, raises `error`.

    `calls` counts them, until the monkeypatch is undone.
    """

    def __init__(self, monkeypatch, name, at, error):
        self.calls = 0
        owner, method = OWNERS[name.partition(".")[0]], name.partition(".")[2]
        real = getattr(owner, method)

        def failing(*arguments, **options):
            self.calls += 1
            if self.calls == at + 1:
                raise error
            return real(*arguments, **options)

        monkeypatch.setattr(owner, method, failing)
