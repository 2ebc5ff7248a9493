"""Plans and traces, which are unpacked as they are read."""

import pytest

import coc_core as coc
from coc_core.api import recorded
from coc_core.errors import StorageError, UsageError


@pytest.fixture(params=[1, 3, 1 << 12])
def run(request, monkeypatch):
    monkeypatch.setattr(recorded, "BLOCK", request.param)
    return coc.run("blocksworld", 4, seed=1, model="reference")


@pytest.fixture
def actions(run):
    heard = []

    def hear(record):
        heard.extend(map(run.setting.domain.actions.format, record.actions))

    coc.run("blocksworld", 4, seed=1, model="reference", on_step=hear)
    assert len(heard) > 5
    return heard


def test_a_plan_is_a_sequence_of_texts(run, actions):
    plan = run.plan
    assert list(plan) == actions
    assert [plan[place] for place in range(len(plan))] == actions
    assert [plan[place] for place in range(-len(plan), 0)] == actions
    assert list(reversed(plan)) == actions[::-1]
    assert (plan[2:5], plan[::-2], plan[9**9 :]) == (actions[2:5], actions[::-2], [])
    assert actions[-1] in plan
    assert "fly" not in plan
    assert plan.index(actions[3]) == actions.index(actions[3])
    with pytest.raises(IndexError):
        plan[len(plan)]


def test_a_trace_is_a_sequence_of_records(run):
    trace = run.trace
    assert repr(trace) == f"<Trace: {run.steps} steps>"
    assert len(trace) == len(list(trace)) == run.steps
    assert [record.step for record in trace] == list(range(1, run.steps + 1))
    assert trace[-1] == list(trace)[-1]
    assert [record.step for record in trace[1:4]] == [2, 3, 4]
    assert trace[0].actions == tuple(run.plan[: len(trace[0].actions)])
    with pytest.raises(IndexError):
        trace[run.steps]


def test_the_states_lead_from_the_start_to_the_goal(run):
    domain, states = run.setting.domain, list(run.plan.states())
    assert len(states) == len(run.plan) + 1
    assert states[0] == domain.initial(run.plan.problem)
    assert domain.is_goal(run.plan.problem, states[-1])


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_plan_is_written_as_the_command_line_writes_it(run, coc, tmp_path, form):
    options = ["-d", "blocksworld", "-n", 4, "--seed", 1, "--model", "reference"]
    coc("run", *options, "--plan", tmp_path / "theirs", "--plan-format", form)
    run.plan.write(str(tmp_path / "ours"), form)
    assert (tmp_path / "ours").read_text() == (tmp_path / "theirs").read_text()


def test_a_plan_that_can_t_be_written_is_refused(run, as_refused_by, tmp_path):
    options = ["run", "-d", "blocksworld", "-n", 4, "--seed", 1, "--model", "reference", "--plan"]
    as_refused_by(lambda: run.plan.write(tmp_path / "no" / "plan"), *options, tmp_path / "no" / "plan")
    with pytest.raises(StorageError):
        run.plan.write(tmp_path)
    with pytest.raises(UsageError, match="unknown plan format 'prose'; choose from grammar, json, "):
        run.plan.write(tmp_path / "plan", "prose")
    assert not (tmp_path / "plan").exists()
