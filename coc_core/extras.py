"""Libraries that only some users need. They are imported where they are used, and an extra of coc installs them."""

import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from coc_core.errors import UsageError


def install_command(extra: str) -> str:
    """Return the command that installs an extra's libraries beside this coc, from any folder."""
    from importlib.metadata import distribution

    named = [each.partition(";") for each in distribution("chain-of-computation").requires or ()]
    libraries = [library.strip() for library, _, marker in named if re.search(rf"extra == .{extra}\b", marker)]
    with_uv = ["uv", "pip", "install", "--python", sys.executable]  # an environment that uv made has no pip
    return shlex.join([*([sys.executable, "-m", "pip", "install"] if find_spec("pip") else with_uv), *libraries])


@contextmanager
def needs_extra(extra: str, purpose: str) -> Iterator[None]:
    """Import what belongs to an extra while the block runs.

    Raises:
        UsageError: It can't be imported; `purpose` says what needs which library.
    """
    try:
        yield
    except ImportError as error:
        if error.name and error.name.startswith("coc_"):  # a mistake of our own
            raise
        raise UsageError(f"{purpose} ({error})", remedy=install_command(extra)) from None
