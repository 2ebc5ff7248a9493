"""Libraries that only some users need. They are imported where they are used, and an extra of coc installs them."""

from collections.abc import Iterator
from contextlib import contextmanager

from coc_core.errors import UsageError


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
        raise UsageError(f"{purpose} ({error})", remedy=f"pip install 'chain-of-computation[{extra}]'") from None
