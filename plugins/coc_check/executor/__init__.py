"""What every executor has to get right."""

from coc_check.executor.subject import ExecutorSubject

__all__ = ["ExecutorSubject"]
