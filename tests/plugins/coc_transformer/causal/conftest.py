"""The hub of this machine."""

from tests.plugins.coc_hub.conftest import hub

__all__ = ["hub"]
