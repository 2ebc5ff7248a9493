"""Recordings, genuine and damaged, and what they are used for.

An attacker may write new digests, which have no key. Such a recording is `announced` if it is a recording of a run in
itself: the machine takes each of its steps from its problem and ends as it says, and `coc diff` tells it from the genuine
one. It is a `note` if only what no machine can check is another: seed, executor, versions, a model's description, seconds.
A fault is what the recording says of a model that is not there: that the run came so far is checked, the fault is not.
"""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import attrs
from attrs import evolve, frozen

import coc_core
from coc_core.arithmetic import Inexact
from coc_core.errors import ArtefactError, UsageError
from coc_core.plugin import Registry
from coc_core.runfile import Recorder, Replay, RunFile, chunk, writer
from coc_core.runfile.manifest import ending
from coc_core.types import Limits
from coc_learn.addresses.learned import Learned
from tests.support import file_edits, forged_runs
from tests.support.damage_verdicts import Damage, Wrong, coc
from tests.support.recorded_runs import tape
from tests.support.saved_runs import saved

NAME = "recordings"
ENDS = ("", "-wal")


def _wrong_numbers(path):
    """A run whose arithmetic model wrote a wrong number, which its file has."""
    right, asked = Learned._resolve, []

    def wrong_once(self, expressions, registers):
        numbers = right(self, expressions, registers)
        asked.append(numbers)
        return Inexact.of((numbers[0], -1, *numbers[2:]), "so") if len(asked) == 3 else numbers

    with mock.patch.object(Learned, "_resolve", wrong_once):
        tape(path, "tape", "learned", n=3)


def _with_log(path):
    """A run that was cut off, in two files: what was committed last is in the log beside it."""
    close = Recorder.close

    def copy_and_close(self):
        self.flush()
        for end in ("", "-wal"):
            shutil.copy(f"{self.path}{end}", f"{path}{end}")
        close(self)

    with mock.patch.object(Recorder, "close", copy_and_close):
        tape(path.with_name(f"{path.name}, whole"), "tape", "inline", n=3, stop=7, ends=False)


MAKERS: dict[str, Callable[[Path], Any]] = {
    "hanoi on a stack": lambda path: saved(path, n=3),
    "hanoi on a tape, inline": lambda path: saved(path, "hanoi", "tape", "inline"),
    "hanoi on a tape, symbolic": lambda path: saved(path, "hanoi", "tape", "symbolic"),
    "hanoi with learned arithmetic": lambda path: tape(path, "tape", "learned", n=3),
    "wrong arithmetic": _wrong_numbers,
    "pancake": lambda path: saved(path, "pancake", "tape", "inline", n=4, seed=1),
    "blocksworld": lambda path: saved(path, "blocksworld", "pda", "symbolic", n=4, seed=2),
    "blocksworld-extended": lambda path: saved(path, "blocksworld-extended", "tape", "symbolic", n=4, seed=3),
    "a protocol fault": lambda path: saved(path, at=4, text="What?"),
    "an action fault": lambda path: saved(path, "pancake", "pda", "symbolic", n=4, seed=1, at=1, text="ACTION FLIP 9"),
    "interrupted": lambda path: saved(path, at=5),
    "interrupted on a tape": lambda path: saved(path, "hanoi", "tape", "inline", at=5),
    "cut off": lambda path: tape(path, n=5, domain="pancake", stop=2, ends=False),
    "not begun": lambda path: saved(path, at=-1),
    "with a log": _with_log,
    "a limit": lambda path: tape(path, "pda", n=3, limits=Limits(steps=6)),
}


@frozen
class Genuine:
    """A recording: its files by how their names end, what is read of it, and what resuming it comes to.

    `uses` has what each of `USES` gives, `facts` what is read, `resumed` what is read after it was resumed.
    """

    name: str
    files: dict[str, bytes]
    steps: int
    uses: dict[str, Any]
    facts: "Facts"
    resumed: "Facts"

    def write(self, path):
        for end, data in self.files.items():
            Path(f"{path}{end}").write_bytes(data)


@frozen
class Facts:
    """What a recording says: the run itself, and what no machine can check."""

    result: list[Any]
    notes: list[Any]


def make(folder):
    """The genuine recordings, with a few steps in each chunk and a commit for each step."""
    found = []
    chunk.MAX_STEPS, writer.COMMIT_INTERVAL, writer._QUICK = 4, 0.0, 0.0
    for number, (name, maker) in enumerate(MAKERS.items()):
        path = folder / f"{number}"
        maker(path)
        files = {end: Path(f"{path}{end}").read_bytes() for end in ENDS if Path(f"{path}{end}").exists()}
        found.append(_genuine(folder / "work", name, files))
    return found


def _genuine(folder, name, files):
    folder.mkdir()
    genuine = Genuine(name, files, 0, {}, None, None)
    for other in ("run", "genuine"):
        genuine.write(folder / other)
    facts = _facts(coc_core.load_run(folder / "run"))
    steps = len(facts.result[-2])
    uses = {use.__name__: use(folder, steps) for use in USES}
    coc("run", "--resume", folder / "run")
    resumed = _facts(coc_core.load_run(folder / "run"))
    shutil.rmtree(folder)
    return evolve(genuine, steps=steps, uses=uses, facts=facts, resumed=resumed)


def damage(genuines, kind, folder, rng):
    """Write a damaged recording to `folder`, and the genuine one beside it."""
    genuine = rng.choice(genuines)
    for name in ("run", "genuine"):
        genuine.write(folder / name)
    end = rng.choice(list(genuine.files))
    path, sealed = folder / f"run{end}", False
    if kind == "flip":
        data, text = file_edits.flip(path.read_bytes(), rng)
        path.write_bytes(data)
    elif rng.random() < 0.1:
        data, text = file_edits.change_bytes(path.read_bytes(), rng)
        path.write_bytes(data)
    elif rng.random() < 0.1:
        end, text = _other_log(genuines, genuine, folder, rng)
        sealed = text.endswith("of another run")  # which has right digests
    else:
        others = [folder / f"other{number}" for number in range(2)]
        for other in others:
            rng.choice([each for each in genuines if "-wal" not in each.files and each.steps]).write(other)
        end = ""
        text, sealed = forged_runs.forge(folder / "run", others, rng)
        for other in others:
            other.unlink()
    return Damage(genuine, f"{genuine.name}: run{end}", text, sealed)


def _other_log(genuines, genuine, folder, rng):
    """The log of a run removed, or put beside the file of another run."""
    (logged,) = (each for each in genuines if "-wal" in each.files)
    if genuine is logged:
        (folder / "run-wal").unlink()
        return "-wal", "removed"
    if rng.random() < 0.5:
        (folder / "run-wal").write_bytes(logged.files["-wal"])
        return "-wal", "that of another run"
    (folder / "run").write_bytes(rng.choice(genuines).files[""])
    return "", "replaced by that of another run"


def use(damage, folder):
    """The verdict of everything that reads a recording."""
    genuine, path = damage.genuine, folder / "run"
    uses = {use.__name__: use(folder, genuine.steps) for use in USES}
    accepted = {name for name, found in uses.items() if found is not None}
    differing = {name for name in accepted - {"diff"} if uses[name] != genuine.uses[name]}
    facts, verdict = uses["load"], "refused" if len(accepted) < len(uses) else "harmless"
    if (
        facts is not None
        and uses["diff"] is not None
        and facts.result != genuine.facts.result
        and uses["diff"]["equal"]
    ):
        raise Wrong("`coc diff` calls it equal, which it is not")
    if differing and damage.sealed:
        check_true(path, genuine.steps // 2 if differing == {"replay_step"} else None)
        verdict = "note" if facts is not None and facts.result == genuine.facts.result else "announced"
    elif differing and not _is_prefix(facts, genuine):
        raise Wrong(f"{', '.join(sorted(differing))} give something else")
    if coc("run", "--resume", path, "--json").refused:
        return "refused" if verdict == "harmless" else verdict
    resumed = _facts(coc_core.load_run(path))
    if resumed.result == genuine.resumed.result:
        return verdict if verdict in ("refused", "note") or genuine.facts == genuine.resumed else "equal"
    if not damage.sealed:
        raise Wrong("it is resumed to another end")
    check_true(path)
    return "announced"


def _is_prefix(facts, genuine):
    """Whether it is the beginning of the genuine one, and says that it has not ended."""
    if facts is None:
        return False
    *heads, records, end = facts.result
    *genuine_heads, genuine_records, _ = genuine.facts.result
    return heads == genuine_heads and end is None and records == genuine_records[: len(records)]


def replay_end(folder, _steps):
    return _printed("replay", folder / "run", "--end", "--json")


def replay_step(folder, steps):
    return _printed("replay", folder / "run", "--step", steps // 2, "--json")


def view(folder, _steps):
    done = coc("view", folder / "run", "-o", folder / "page.html")
    return None if done.refused else (folder / "page.html").read_text()


def diff(folder, _steps):
    return _printed("diff", folder / "genuine", folder / "run", "--json")


def load(folder, _steps):
    try:
        run = coc_core.load_run(folder / "run")
        run.verify()
        return _facts(run)
    except (ArtefactError, UsageError):
        return None


USES = (replay_end, replay_step, view, diff, load)
"""What a recording is used for; each gives what it presents, None if it refuses."""


def _printed(*words):
    done = coc(*words)
    if done.refused:
        return None
    document = json.loads(done.out)
    document.pop("run", None)
    if not document.get("verified", True):  # then the end of the run is said to be as recorded, and not believed
        del document["outcome"], document["steps"]
    return document


def _facts(run):
    manifest = attrs.asdict(run.recording.manifest)
    heads = [manifest.pop(name) for name in ("domain", "memory", "notation", "problem")]
    records = [(each.prompt, each.target, each.actions, each.pointer, each.numbers) for each in run.trace]
    outcome = run.outcome
    assert list(run.plan) == [action for record in records for action in record[2]]
    note = None if outcome is None else [outcome.model_calls, outcome.seconds, outcome.fault and outcome.fault.message]
    return Facts([*heads, records, ending(outcome)], [manifest, note])


def check_true(path, last=None):
    """Wrong unless a machine takes each recorded step from the recorded problem, and ends as the file says.

    With `last`, only the steps up to that one are looked at.
    """
    try:
        with RunFile.open(path) as runfile:
            replay = Replay(Registry.installed(), runfile)
            seen = []
            machine = replay.setting.machine(replay.problem, [seen.append])
            machine.assume(deterministic=False)
            for record in runfile.records(1, last):
                if machine.peek() != record.prompt:
                    raise Wrong(f"step {record.step} is presented with a prompt that is not the machine's")
                replay.setting.arithmetic.recorded = record.numbers
                machine.step(record.target)
                if machine.steps < record.step:
                    raise Wrong(f"step {record.step} is presented, and the machine says {machine.fault.message}")
                actions = tuple(map(machine.domain.actions.format, seen[-1].actions))
                if (actions, machine.pointer) != (record.actions, record.pointer):
                    raise Wrong(f"step {record.step} is presented with other actions or another pointer")
            if last is None:
                _check_end(machine, runfile.outcome)
    except ArtefactError as error:
        raise Wrong(f"it is presented, and refused elsewhere: {error}") from None


def _check_end(machine, outcome):
    if outcome is None:
        return
    if (outcome.steps, outcome.actions) != (machine.steps, machine.actions):
        raise Wrong("it is presented with other counts")
    halted = machine.peek() is None and machine.fault is None
    fault = outcome.fault
    if fault is None:
        if halted != (outcome.status != "interrupted") or (halted and machine.status != outcome.status):
            raise Wrong(f"it is presented as {outcome.status}, and the machine says {machine.status}")
    elif halted:
        raise Wrong("it is presented with a fault after its end")
