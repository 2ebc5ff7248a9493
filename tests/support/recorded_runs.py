"""Recorded runs for tests, made in this process."""

import json
import sqlite3
from contextlib import ExitStack, closing
from unittest import mock

import pytest

from coc_core.arithmetic import Inexact
from coc_core.errors import ArtefactError
from coc_core.execution import Cached
from coc_core.plugin import Registry
from coc_core.runfile import Manifest, RunFile, Session, prepare_resume
from coc_core.setting import Setting
from coc_core.types import Limits
from coc_learn.addresses.learned import Learned


class Stop(Exception):
    """What a test throws into a run."""


def stage(memory="pda", arith="symbolic", n=4, domain="hanoi", limits=Limits(), seed=0):
    setting = Setting.of(
        Registry.installed(), domain, memory, arith, limits, "reference" if arith == "learned" else None
    )
    return setting, setting.domain.problem(n, seed)


def tape(path, memory="pda", arith="symbolic", n=4, domain="hanoi", model=None, limits=Limits(), stop=None, ends=True):
    """Record a run, interrupted after `stop` steps; without an outcome unless it `ends`. Gives the outcome."""
    setting, problem = stage(memory, arith, n, domain, limits)
    subject = model(setting.convention) if model else setting.model("reference")
    chosen = "reference" if arith == "learned" else None
    manifest = Manifest.of(setting, problem, subject, executor="cached", model="reference", arith_model=chosen)
    return _run(Session(path, manifest, setting), setting, problem, subject, stop, ends)


def tape_with_an_error(path, **options):
    """Record a run on a tape whose arithmetic model writes one wrong number, which its file has."""
    right, asked = Learned._resolve, []

    def wrong_once(self, expressions, registers):
        numbers = right(self, expressions, registers)
        asked.append(numbers)
        return Inexact.of((numbers[0], -1, *numbers[2:]), "so") if len(asked) == 3 else numbers

    with mock.patch.object(Learned, "_resolve", wrong_once):
        tape(path, "tape", "learned", **options)


def go_on(path, most=None, stop=None, ends=True):
    """Resume a recorded run. Gives the outcome."""
    with RunFile.open(path) as runfile:
        manifest = runfile.manifest.with_choices(most)
        setting, problem, subject, manifest, _ = prepare_resume(Registry.installed(), runfile, manifest)
        return _run(Session(path, manifest, setting, runfile), setting, problem, subject, stop, ends)


def _run(session, setting, problem, subject, stop, ends):
    with ExitStack() as stack:
        listeners = [session.open(stack), lambda record: record.step == stop and machine.interrupt()]
        machine = setting.machine(problem, listeners)
        session.replay(machine, subject)
        (outcome,) = Cached().run([machine], subject)
        if ends:
            session.finish(outcome, subject)
    return outcome


def digest(path):
    with RunFile.open(path) as runfile:
        return runfile.digest()


def edit(path, column, **changes):
    """The statement that changes entries of the manifest or the outcome."""
    with closing(sqlite3.connect(path)) as connection:
        (text,) = connection.execute(f"SELECT {column} FROM run").fetchone()
    return f"UPDATE run SET {column} = ?", (json.dumps(json.loads(text) | changes, sort_keys=True),)


def refusal(path):
    """Why `path` is refused when it is opened."""
    with pytest.raises(ArtefactError) as error:
        RunFile.open(path)
    start = f"the run file {path} was rejected: "
    assert error.value.message.startswith(start)
    return error.value.message.removeprefix(start)
