"""Playing back a recorded run: no model is called, each step is compared with its record, and the first difference is told."""

import pytest

import coc_core as coc
from coc_core.errors import ArithmeticFault, ArtefactError
from coc_core.plugin import Registry
from coc_core.runfile import Replay, RunFile, chunk, playback
from coc_core.runfile.playback import Playback, RecordedArithmetic
from coc_learn.addresses.learned import Learned
from tests.support.damage import change
from tests.support.recorded_runs import stage, tape


@pytest.fixture(scope="module")
def registry():
    return Registry.installed()


@pytest.fixture
def run(tmp_path):
    tape(tmp_path / "run", n=3)
    return tmp_path / "run"


def refused(path):
    """Why the run does not replay."""
    with RunFile.open(path) as runfile, pytest.raises(ArtefactError) as error:
        Replay(Registry.installed(), runfile).verify()
    start = f"the run file {path} does not replay"
    assert error.value.message.startswith(start)
    return error.value.message.removeprefix(start)


def records_of(path):
    with RunFile.open(path) as runfile:
        return list(runfile.records())


def texts_of(path):
    with RunFile.open(path) as runfile:
        return [each for row in runfile._rows() for each in chunk.transitions(row)]


def written(path, number, **fields):
    """Write other fields into a transition."""
    texts = texts_of(path)
    texts[number] = texts[number]._replace(**fields)
    change(path, ("UPDATE chunk SET texts = ?", (chunk.deflate(chunk.json_lines(texts)),)))


def test_a_prompt_and_actions_that_differ_are_told(run, renamed):
    right = records_of(run)[2].prompt
    written(run, 2, prompt="PTR=wrong")
    assert refused(run) == f" at step 3: the machine's prompt is '{right}', but the file has 'PTR=wrong'"
    written(run, 2, prompt=right, actions=("Fly",))
    assert refused(run) == " at step 3: its actions differ from those of its target"
    written(run, 2, target="no target")
    assert refused(run).startswith(": at step 3 ")
    (place,) = (number for number, each in enumerate(texts_of(renamed)) if each.actions == ("Unstack B3 from B2",))
    written(renamed, place, actions=("Unstack B4 from B3",))
    assert refused(renamed).endswith("its actions differ from those of its target")


def test_a_pointer_that_differs_is_told_with_the_right_one(tmp_path):
    tape(tmp_path / "run", "tape", "symbolic", n=2)
    before, right = (each.pointer for each in records_of(tmp_path / "run")[:2])
    with RunFile.open(tmp_path / "run") as runfile:
        (row,) = runfile._rows()
    pointers = list(chunk.pointers(row))
    pointers[1] += 7
    other = chunk.pack(b"", 1, 0, 0, [], chunk.ids(row), pointers, []).pointers
    change(tmp_path / "run", ("UPDATE chunk SET pointers = ?", (other,)))
    assert before != right
    assert refused(tmp_path / "run") == f" at step 3: its pointer after the previous step is {right + 7}, not {right}"


def heard(monkeypatch, convention):
    """The targets that this convention parses from now on."""
    found, parse = [], convention.parse
    monkeypatch.setattr(convention, "parse", lambda text: found.append(text) or parse(text))
    return found


@pytest.mark.parametrize("number", [-7, 10**6])
def test_a_recorded_number_that_is_no_address_is_told(tmp_path, number):
    tape(tmp_path / "run", "tape", "learned", n=3)
    setting, _ = stage("tape", "learned", n=3)
    parsed = setting.convention.parse(records_of(tmp_path / "run")[0].target)
    numbers = [number] * len(parsed.expressions)
    line = chunk.json_lines([[1, numbers]])
    change(tmp_path / "run", ("UPDATE chunk SET numbers = ?", (chunk.deflate(line),)))
    assert refused(tmp_path / "run").startswith(": at step 1 a recorded number is wrong: ")


@pytest.mark.parametrize("most", [0, 1])
def test_few_targets_are_remembered(tmp_path, monkeypatch, most):
    monkeypatch.setattr(playback, "_MAX_CHECKED", most)
    tape(tmp_path / "run", n=6)
    targets = [each.target for each in records_of(tmp_path / "run")]
    forgotten = [target for step, target in enumerate(targets) if target not in targets[max(0, step - most) : step]]
    with RunFile.open(tmp_path / "run") as runfile:
        travel = Replay(Registry.installed(), runfile)
        parsed = heard(monkeypatch, travel.setting.convention)
        travel.verify()
        assert len(parsed) == runfile.steps + len(forgotten) > runfile.steps + len(set(targets))


def test_the_model_of_the_arithmetic_is_not_called_for_recorded_steps(tmp_path, monkeypatch):
    tape(tmp_path / "run", "tape", "learned", n=3)
    setting, problem = stage("tape", "learned", n=3)
    monkeypatch.setattr(Learned, "_resolve", None)
    with RunFile.open(tmp_path / "run") as runfile:
        machine = setting.machine(problem)
        Playback(runfile, machine, RecordedArithmetic(machine.convention)).take(runfile.steps)
        assert (machine.steps, machine.status) == (runfile.steps, "solved")


@pytest.mark.parametrize(("arith", "known"), [("inline", False), ("symbolic", True)])
def test_numbers_that_were_exact_are_found_in_the_notation_of_the_run(arith, known):
    setting, _ = stage("tape", arith)
    recorded = RecordedArithmetic(setting.convention)
    assert recorded.resolve(["7", "-1"], {"ID": 3}) == (7, -1)
    if known:
        assert recorded.resolve(["ID+2"], {"ID": 3}) == (5,)
    else:
        with pytest.raises(ArithmeticFault):
            recorded.resolve(["ID+2"], {"ID": 3})


@pytest.fixture
def renamed(tmp_path):
    """A run in which a prompt and its target come again with another action, since names are numbered by place."""
    goal = ", ".join(f"ontable B{number}" for number in range(1, 6))
    run = coc.run("blocks", problem=f"start=[[B1, B2, B3, B4, B5]] & hand=[] & goal=[{goal}]", model="reference")
    run.save(tmp_path / "renamed")
    return tmp_path / "renamed"


def test_a_target_is_recorded_with_the_actions_that_it_had_at_each_step(renamed):
    taken = [record for record in records_of(renamed) if record.target.startswith("OUTPUT Unstack")]
    assert [record.actions for record in taken] == [(f"Unstack B{n} from B{n - 1}",) for n in (5, 4, 3, 2)]
    assert taken[1].prompt == taken[2].prompt
    assert taken[1].target == taken[2].target
    with RunFile.open(renamed) as runfile:
        Replay(Registry.installed(), runfile).verify()
