"""What a plugin's tests may ask pytest for. Anything heavy is imported by the fixture that needs it."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from coc_check.scripted import Response, Scripted
    from coc_core.plugin import Registry


@pytest.fixture
def coc_registry() -> "Callable[..., Registry]":
    """Makes a registry of only the installed plugins that are named: `coc_registry("core", "hanoi")`."""
    from coc_check.parts import registry_of

    return registry_of


@pytest.fixture
def coc_run_folder(tmp_path: Path) -> Path:
    """An empty folder for run files, of this test alone."""
    folder = tmp_path / "runs"
    folder.mkdir()
    return folder


@pytest.fixture
def coc_script() -> "Callable[[Mapping[str, Response] | Sequence[Response]], Scripted]":
    """Makes a model that responds by a script: a mapping of prompts to texts, or the texts one after the other."""
    from coc_check.scripted import Scripted

    return Scripted
