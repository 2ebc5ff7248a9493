"""What every model has to get right."""

from coc_check.model.subject import ModelSubject

__all__ = ["ModelSubject"]
