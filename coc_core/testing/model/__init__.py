"""What every model has to get right."""

from coc_core.testing.model.subject import ModelSubject

__all__ = ["ModelSubject"]
