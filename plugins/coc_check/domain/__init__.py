"""What every domain has to get right."""

from coc_check.domain.subject import DomainSubject

__all__ = ["DomainSubject"]
