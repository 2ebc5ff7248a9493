from itertools import count

import pytest

_numbers = count()

FLAWED = """
import os, signal
from coc_core.memories import Reference
from coc_core.plugin import ModelSpec, hookimpl


class Flawed(Reference):
    def _complete(self, prompts, drafts):
        if any("goal=[P1, P2, P3, P4, P5, P6]" in prompt for prompt in prompts):
            ACTION
        targets = super()._complete(prompts, drafts)
        wrong = [any(start in prompt for start in WRONG) for prompt in prompts]
        return ["nonsense" if each else target for each, target in zip(wrong, targets)]


@hookimpl
def coc_models():
    return [ModelSpec("flawed", "wrong at times", factory=f"{__name__}:Flawed")]
"""


@pytest.fixture
def plugin_file(tmp_path):
    """Writes a plugin to a file of its own: a module's name is taken for as long as a process lasts."""

    def write(text):
        path = tmp_path / f"plugin_{next(_numbers)}.py"
        path.write_text(text)
        return path

    return write


@pytest.fixture
def flawed(plugin_file):
    """Makes a plugin with a model that is wrong at prompts with some texts, and does something at problems of size 6."""
    return lambda *wrong, action="pass": plugin_file(FLAWED.replace("WRONG", repr(wrong)).replace("ACTION", action))
