"""Libraries that only some users need. They are imported where they are used, and an extra of coc installs them."""

from collections.abc import Iterator
from contextlib import contextmanager

from coc_core.errors import UsageError


def install_command(extra: str) -> str:
    """The command that installs an extra, run in the checkout that coc was installed from."""
    return f"pip install -c constraints.txt '.[{extra}]'"


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
