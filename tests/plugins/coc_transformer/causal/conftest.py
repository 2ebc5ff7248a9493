"""The hub of this machine."""

from tests.plugins.coc_doors.hub.conftest import hub

__all__ = ["hub"]
