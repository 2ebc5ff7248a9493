"""What every executor has to get right."""

from coc_core.testing.executor.subject import ExecutorSubject

__all__ = ["ExecutorSubject"]
