"""Libraries that only some users need. They are imported where they are used, and an extra of coc installs them."""

import json
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote

from coc_core.errors import UsageError


def install_command(extra: str) -> str:
    """The command that installs an extra's libraries beside this coc: from any folder, wherever coc came from."""
    from importlib.metadata import distribution

    ours = distribution("chain-of-computation")
    source = json.loads(ours.read_text("direct_url.json") or "{}").get("url", "").removeprefix("file://")
    tested = Path(unquote(source), "constraints.txt")  # of the checkout, if it is still there
    named = [each.partition(";") for each in ours.requires or ()]
    libraries = [library.strip() for library, _, marker in named if re.search(rf"extra == .{extra}\b", marker)]
    return shlex.join([*_pip_install(), *(["-c", str(tested)] if source and tested.is_file() else []), *libraries])


def _pip_install() -> list[str]:
    """`pip install` into the environment of this Python, which need not be the active one or have pip."""
    if find_spec("pip") is None:
        return ["uv", "pip", "install", "--python", sys.executable]
    here = Path(shutil.which("pip") or "").parent == Path(sys.executable).parent
    return [*(["pip"] if here else [sys.executable, "-m", "pip"]), "install"]


@contextmanager
def needs_extra(extra: str, purpose: str) -> Iterator[None]:
    """Import what belongs to an extra while the block runs.

    Args:
        extra: The extra that installs it.
        purpose: What needs which library, for the error.

    Raises:
        UsageError: It can't be imported.
    """
    try:
        yield
    except ImportError as error:
        if error.name and error.name.startswith("coc_"):  # a mistake of our own
            raise
        raise UsageError(f"{purpose} ({error})", remedy=install_command(extra)) from None
