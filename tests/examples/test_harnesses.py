"""The tasks for other harnesses, run by their command lines with a model of coc behind `coc serve`, or as they load them.

No harness goes with the versions in constraints.txt, so that all are skipped in the project's own environment.
"""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import pytest

from coc_core.errors import UsageError
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_doors.harnesses.tasks import Tasks
from tests.support.fake_endpoint import chat, endpoint
from tests.support.serve_process import serving

HARNESSES = Path(__file__).parents[2] / "examples" / "harnesses"
SETTING = Setting.of(Registry.installed(), "hanoi", "pda", "symbolic")
BIN = Path(sys.executable).parent
INSPECT, LM_EVAL = (shutil.which(name, path=BIN) for name in ("inspect", "lm_eval"))
needs_inspect = pytest.mark.skipif(INSPECT is None, reason="needs inspect-ai")
needs_lm_eval = pytest.mark.skipif(LM_EVAL is None, reason="needs lm-eval[api]")
needs_sb3 = pytest.mark.skipif(find_spec("stable_baselines3") is None, reason="needs stable-baselines3")
needs_reasoning_gym = pytest.mark.skipif(find_spec("reasoning_gym") is None, reason="needs reasoning-gym")
needs_verifiers = pytest.mark.skipif(find_spec("verifiers") is None, reason="needs verifiers")


@pytest.fixture(scope="module")
def url():
    with serving("--model", "hanoi-pda") as server:
        yield f"http://127.0.0.1:{server.port}/v1"


@pytest.fixture
def folder(coc, tmp_path):
    assert coc("data", "build", "-d", "hanoi", "-n", "1-3", "--holdout", 0.5, "--out", tmp_path / "pairs").code == 0
    return tmp_path


def run(folder, *command, **environment):
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1", "HF_HOME": str(folder)} | environment
    done = subprocess.run(
        list(map(str, command)), cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def inspected(folder, task, model, *options, url):
    """What inspect_ai logs of a task that it finds by its entry point."""
    command = [INSPECT, "eval", f"coc_doors/{task}", "--model", model, "--max-tokens", 200, "--display", "none"]
    rest = ["--log-dir", folder, "--log-format", "json"]
    given = [each for option in options for each in ("-T", option)]
    run(folder, *command, *given, *rest, COC_BASE_URL=url, COC_API_KEY="none")
    (log,) = (json.loads(path.read_text()) for path in folder.glob(f"*_{task}_*.json"))
    assert log["status"] == "success"
    return log["results"]


@pytest.mark.slow
@needs_inspect
@pytest.mark.parametrize(("task", "options"), [("steps", ["n=3", "count=5"]), ("runs", ["n=2,3"])])
def test_inspect(tmp_path, url, task, options):
    results = inspected(tmp_path, task, "openai-api-completions/coc/hanoi-pda", "shots=0", *options, url=url)
    assert results["scores"][0]["metrics"]["accuracy"]["value"] == 1
    assert results["completed_samples"] > 1


@pytest.mark.slow
@needs_inspect
def test_a_chat_in_inspect(coc, tmp_path):
    """Whole runs with a model that has chats: it is sent what `coc prompt` shows, without the prompt at hand."""
    shown = coc("prompt", "-d", "hanoi", "--model", "openai:any,shots=4", "--json").out
    system, policy = json.loads(shown)["request"]["messages"][0], SETTING.convention.target_for
    rest = {"id": "1", "object": "chat.completion", "created": 0, "model": "m"}
    with endpoint(then=lambda body: (200, rest | chat(policy(body["messages"][-1]["content"])), {})) as fake:
        results = inspected(tmp_path, "runs", "openai-api/coc/m", "n=3", url=fake.url)
    assert results["scores"][0]["metrics"]["accuracy"]["value"] == 1
    assert len(fake.bodies) == 9
    for body in fake.bodies:
        *before, last = body["messages"]
        assert before[0]["content"] == system["content"]
        assert last not in before
        assert len(before) == 9


@pytest.mark.slow
@needs_lm_eval
def test_single_steps_in_lm_eval(folder, url):
    arguments = f"model=hanoi-pda,base_url={url}/completions,tokenizer_backend=None,tokenized_requests=False"
    options = ["--tasks", "coc_steps", "--include_path", HARNESSES, "--output_path", folder / "results.json"]
    run(folder, LM_EVAL, "run", "--model", "local-completions", "--model_args", arguments, *options)
    (path,) = folder.glob("results*.json")
    assert json.loads(path.read_text())["results"]["coc_steps"]["exact_match,none"] == 1


@pytest.mark.slow
@needs_lm_eval
def test_whole_runs_with_a_model_of_lm_eval(folder, url):
    arguments = f"model=hanoi-pda,base_url={url}/completions,tokenizer_backend=None,tokenized_requests=False"
    command = [sys.executable, HARNESSES / "lm_eval_runs.py", "--n", 2, 3, "--model_args", arguments]
    assert "2 of 2 solved" in run(folder, *command)


@pytest.mark.slow
@needs_verifiers
def test_an_evaluation_of_verifiers(tmp_path, url):
    tasks = "coc-doors --env.taskset.n 3 --env.taskset.shots 0 -n 4 --no-push --run.dir found --output-dir ."
    how = "--env.agent.harness.id null --env.agent.runtime.type subprocess"
    model = ["--model", "hanoi-pda", "--client.base-url", url, "--client.api-key-var", "KEY"]
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    run(tmp_path, BIN / "vf-eval", *f"{tasks} {how}".split(), *model, KEY="none", PATH=path)
    episodes = [json.loads(line) for line in (tmp_path / "found" / "traces.jsonl").read_text().splitlines()]
    traces = [trace for episode in episodes for trace in episode["traces"]]
    assert [trace["rewards"]["exact"]["score"] for trace in traces] == [1] * 4


@needs_verifiers
@pytest.mark.parametrize("by", ["step", "run"])
def test_rewards_in_verifiers(by):
    """Each task that verifiers loads by its id, as it comes back from another process."""
    import verifiers.v1 as vf

    import coc_doors

    assert isinstance(coc_doors.load_environment(n=2, shots=0), vf.Env)
    taskset = vf.load_taskset(vf.taskset_config_type("coc-doors")(id="coc-doors", n=2, by=by, shots=2))
    for task in islice(taskset, 2):
        again = type(task)(type(task.data).model_validate_json(task.data.model_dump_json()))
        for text, reward in ((task.data.target, 1), (f"{task.data.target} ", 0)):
            trace = SimpleNamespace(assistant_messages=[SimpleNamespace(content=text)])
            assert asyncio.run(again.exact(trace)) == reward


@needs_reasoning_gym
def test_data_sets_of_reasoning_gym():
    """The reference's answers are right, others wrong, and another plan that solves the problem is right, too."""
    import reasoning_gym

    import coc_doors.harnesses.reasoning  # noqa: F401

    for name in ("coc_steps", "coc_plans"):
        data = reasoning_gym.create_dataset(name, domain="hanoi", n=2, size=5, seed=3, shots=2)
        for item in data:
            scores = [data.score_answer(answer, item) for answer in (item["answer"], item["answer"] + " ", "", None)]
            assert scores == [1, 0, 0, 0]
        assert item == data[4]
        assert item["question"].startswith("SYSTEM:\nYou carry out one step")
    slow = "\n".join(
        f"OUTPUT Move disk {move}" for move in ("1 from 1 to 3", "1 from 3 to 2", "2 from 1 to 3", "1 from 2 to 3")
    )
    assert data.score_answer(slow, item) == 1


def test_a_task_is_a_step_or_a_run():
    with pytest.raises(UsageError, match="by='word' is not step or run"):
        Tasks(by="word")
    assert len(Tasks(shots=0)[0].messages) == 1


@pytest.mark.slow
@needs_sb3
@pytest.mark.parametrize("domain", ["blocks", "hanoi", "hanoi-4", "river-crossing"])
def test_stable_baselines(domain):
    import stable_baselines3
    from stable_baselines3.common.env_checker import check_env

    import coc_core as coc

    env = coc.gym.make(domain, n=3, structured=True)
    check_env(env)  # warnings are errors
    stable_baselines3.PPO("MultiInputPolicy", env, n_steps=50, batch_size=50, device="cpu").learn(100)
