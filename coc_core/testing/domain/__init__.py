"""What every domain has to get right."""

from coc_core.testing.domain.subject import DomainSubject

__all__ = ["DomainSubject"]
