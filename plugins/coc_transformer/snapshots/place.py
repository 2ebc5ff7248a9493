"""Where the working folder of a training is, and that only one process at a time is in it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from coc_core.errors import StorageError, UsageError
from coc_core.models import CONFIG
from coc_core.storage import absolute, lock_folder
from coc_transformer.snapshots.snapshot import WorkingFolder


def check_working_folder(out: Path, *, resume: bool) -> None:
    """Check that `working_folder` can be entered, and change nothing; arguments and errors are the same."""
    with _making(out):
        folder = _beside(out)
        if not folder.exists():
            if resume and (out / CONFIG).exists():
                raise UsageError(f"{out} is finished", remedy="train anew without --resume")
            return
        if not folder.is_dir():
            raise UsageError(f"{folder} exists and is not a folder", remedy="choose another place")
        os.close(lock_folder(folder))
        if not resume:
            raise UsageError(
                f"{folder} contains an interrupted training", remedy="resume it with --resume, or delete that folder"
            )


@contextmanager
def working_folder(out: Path, job: str, *, resume: bool, tensorboard: Path | None = None) -> Iterator[WorkingFolder]:
    """The working folder of the checkpoint `out`, made if it does not exist.

    A new folder in which nothing was stored is removed at the end. What is noted in it goes to a log in the folder
    `tensorboard`, too, if there is one.

    Raises:
        UsageError: If it exists and `resume` is false, or another process uses it.
        StorageError: If it can't be made.
    """
    check_working_folder(out, resume=resume)
    with _making(out):
        folder = _beside(out)
        new = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        found = WorkingFolder(folder, job, lock_folder(folder), tensorboard)
    try:
        yield found
    finally:
        if new and not found.stored:
            with suppress(StorageError):
                found.remove()
        found.close()


@contextmanager
def _making(out: Path) -> Iterator[None]:
    try:
        yield
    except BlockingIOError:
        raise UsageError(f"another process is training in {_beside(out)}", remedy="wait for it, or end it") from None
    except OSError as error:
        raise StorageError(f"can't make the working folder of {out}: {error.strerror or error}") from None


def _beside(out: Path) -> Path:
    """The working folder of a checkpoint."""
    place = absolute(out)
    return place.with_name(place.name + ".training")
