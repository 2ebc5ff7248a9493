"""Where the language of programs was before it became `coc_programs`: old imports still work, with a warning."""

from importlib import import_module
from typing import Any
from warnings import warn


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    warn(f"import {name} from coc_programs: coc_core.program goes in the next version", FutureWarning, stacklevel=2)
    return getattr(import_module("coc_programs"), name)
