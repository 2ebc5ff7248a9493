"""The engine `dask`: its own workers, and a real scheduler that was started by its command line."""

import asyncio
import gc
import json
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from coc_core.errors import UsageError
from coc_core.extras import install_command
from coc_workers.dask import open_dask
from coc_workers.pool import Lost, Pool
from tests.support import worker_functions
from tests.support.killed_workers import killing
from tests.support.late_import import needs
from tests.support.terminal_interrupts import interrupted

pytestmark = [
    pytest.mark.slow,
    needs("distributed"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # sockets of a scheduler and workers that were killed
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(autouse=True)
def _sockets_that_dask_leaves_open() -> Iterator[None]:
    yield
    gc.collect()  # closes them with a warning, which is ignored here


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a scheduler with two workers, each a process of its own."""
    folder = tmp_path_factory.mktemp("dask")
    file = folder / "scheduler.json"
    commands = [
        ["scheduler", "--port", "0", "--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(file)],
        *(["worker", "--scheduler-file", str(file), "--nthreads", "1", "--no-dashboard"] for _ in range(2)),
    ]
    started = [
        subprocess.Popen([sys.executable, "-m", "dask", *command], stderr=subprocess.DEVNULL, cwd=folder)
        for command in commands
    ]
    try:
        for _ in range(300):
            if file.exists() and file.read_text().strip():
                break
            threading.Event().wait(0.1)
        yield json.loads(file.read_text())["address"]
    finally:
        for process in reversed(started):
            process.send_signal(signal.SIGINT)
        for process in started:
            process.wait(30)


def test_a_real_scheduler_gives_what_one_process_does(coc: Any, scheduler: str) -> None:
    words = ("eval", "-d", "pancake", "-n", "5-6", "--instances", 40, "--json")
    alone, together = (coc(*words, *more) for more in ((), ("--engine", "dask", "--engine-address", scheduler)))
    assert (alone.code, together.code) == (0, 0), together.err
    documents = [json.loads(done.out) for done in (alone, together)]
    for document in documents:
        for each in (document, *document["sizes"]):
            del each["seconds"]
    assert documents[0] == documents[1]


def test_a_real_scheduler_checks_addresses(coc: Any, scheduler: str) -> None:
    words = ("eval", "-d", "pancake", "-m", "tape", "-a", "learned", "--addresses", "0-9000", "--json")
    alone, together = (coc(*words, *more) for more in ((), ("--engine", "dask", "--engine-address", scheduler)))
    assert (alone.code, together.code) == (0, 0), together.err
    assert together.out == alone.out


def test_datasets_are_the_same_to_the_byte(coc: Any, scheduler: str, tmp_path: Path) -> None:
    found = []
    for more in ((), ("--engine-address", scheduler, "--jobs", 2), ("--jobs", 2)):
        engine = ("--engine", "dask") if more else ()
        words = ("-d", "hanoi", "-m", "tape", "-a", "inline", "-n", "1-9", "-o", tmp_path / "it")
        done = coc("data", "build", *words, *engine, *more)
        assert done.code == 0, done.err
        found.append({path.name: path.read_bytes() for path in (tmp_path / "it").iterdir()})
    assert found[1:] == found[:1] * 2


def test_ctrl_c_ends_workers_of_its_own(tmp_path: Path) -> None:
    words = ("data", "build", "-d", "hanoi", "-m", "tape", "-a", "inline", "-n", "1-19", "-o", tmp_path / "it")
    done = interrupted(*words, "--engine", "dask", "--jobs", 2)
    assert done.code == 130
    assert "Traceback" not in done.err
    assert done.seconds < 120
    assert list(tmp_path.iterdir()) == []


def test_workers_of_its_own_and_what_they_raise() -> None:
    with Pool(lambda jobs: open_dask(jobs, None), 2) as pool:
        assert list(pool.map(worker_functions.square, range(9))) == [number * number for number in range(9)]
        with pytest.raises(ValueError, match="not 7"):
            list(pool.map(worker_functions.fail_at_seven, range(12)))


def test_work_that_kills_every_worker_is_given_up() -> None:
    import dask

    once = dask.config.set({"distributed.scheduler.allowed-failures": 0})  # to replace a worker takes long
    with once, Pool(lambda jobs: open_dask(jobs, None), 2) as pool:
        results = list(pool.map(partial(worker_functions.die_at, 3), range(5)))
    assert results == [0, 1, 2, Lost(3), 4]


def test_workers_that_are_killed_at_random_change_no_result() -> None:
    import psutil

    def workers() -> list[int]:
        found = []
        for child in psutil.Process().children(recursive=True):
            with suppress(psutil.Error):  # it has just ended
                found += [child.pid] * ("spawn_main" in " ".join(child.cmdline()))
        return [pid for pid in found if pid not in others]

    others: list[int] = []  # the workers of the scheduler of other tests
    others = workers()
    with Pool(lambda jobs: open_dask(jobs, None), 2) as pool:
        pool.open()
        with killing(workers, 5, 0, 0.5, 1.0) as killed:
            found = list(pool.map(worker_functions.slow_square, range(60)))
    assert found == [number * number for number in range(60)]
    assert killed


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nowhere", "", "ucx://127.0.0.1:1"])
def test_an_address_where_nobody_listens_is_refused_at_once(address: str) -> None:
    with pytest.raises(UsageError, match="no Dask scheduler answers at"):
        open_dask(2, address)


@pytest.mark.parametrize("scheme", ["tcp://", "", "ws://"])
def test_an_address_that_accepts_and_never_answers_is_given_up(scheme: str) -> None:
    error = pytest.raises(UsageError, match=r"no Dask scheduler answers at .* \(TimeoutError\)")
    with socket.create_server(("127.0.0.1", 0)) as silent, error:
        open_dask(2, f"{scheme}127.0.0.1:{silent.getsockname()[1]}")


@pytest.mark.parametrize("scheme", ["tls", "wss"])
def test_an_encrypted_address_needs_a_certificate(scheme: str) -> None:
    with pytest.raises(UsageError, match=rf"'{scheme}://127\.0\.0\.1:1' needs a certificate; name its files in Dask's"):
        open_dask(2, f"{scheme}://127.0.0.1:1")


def test_an_address_may_come_from_a_program_with_an_event_loop() -> None:
    async def program() -> None:
        open_dask(2, "tcp://127.0.0.1:1")

    with pytest.raises(UsageError, match="no Dask scheduler answers at"):
        asyncio.run(program())


def test_without_the_library_its_command_is_given(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=rf"needs the library distributed .*; {re.escape(install_command('dask'))}"):
        open_dask(2, None)
