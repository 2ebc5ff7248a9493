"""The tasks for other harnesses, run by their command lines with a model of coc behind `coc serve`, or as they load them.

No harness goes with the versions in constraints.txt, so that all are skipped in the project's own environment.
"""

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from coc_core.plugin import Registry
from coc_core.setting import Setting
from tests.support.fake_endpoint import chat, endpoint
from tests.support.serve_process import serving

HARNESSES = Path(__file__).parents[2] / "examples" / "harnesses"
BIN = Path(sys.executable).parent
INSPECT, LM_EVAL = (shutil.which(name, path=BIN) for name in ("inspect", "lm_eval"))
needs_inspect = pytest.mark.skipif(INSPECT is None, reason="needs inspect-ai")
needs_lm_eval = pytest.mark.skipif(LM_EVAL is None, reason="needs lm-eval[api]")
needs_sb3 = pytest.mark.skipif(find_spec("stable_baselines3") is None, reason="needs stable-baselines3")
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


@pytest.mark.slow
@needs_inspect
@pytest.mark.parametrize(("task", "option"), [("steps", "pairs={}/pairs/heldout.jsonl.gz"), ("runs", "n=2,3")])
def test_inspect(folder, url, task, option):
    command = [INSPECT, "eval", f"{HARNESSES / 'inspect_tasks.py'}@{task}", "-T", option.format(folder)]
    model = ["--model", "openai-api-completions/coc/hanoi-pda", "--max-tokens", 200]
    rest = ["--display", "none", "--log-dir", folder, "--log-format", "json"]
    run(folder, *command, *model, *rest, COC_BASE_URL=url, COC_API_KEY="none")
    (log,) = (json.loads(path.read_text()) for path in folder.glob("*.json"))
    assert log["status"] == "success"
    assert log["results"]["scores"][0]["metrics"]["accuracy"]["value"] == 1
    assert log["results"]["completed_samples"] > 1


@pytest.mark.slow
@needs_inspect
def test_a_frame_in_inspect(coc, folder):
    """Whole runs with a model that has chats: it is sent what `coc prompt` shows, without the prompt at hand."""
    shown = coc("prompt", "-d", "hanoi", "--model", "openai:any", "--json").out
    (folder / "frame.json").write_text(shown)
    frame = json.loads(shown)["request"]["messages"][:-1]
    policy = Setting.of(Registry.installed(), "hanoi", "pda", "symbolic").convention.target_for
    rest = {"id": "1", "object": "chat.completion", "created": 0, "model": "m"}
    with endpoint(then=lambda body: (200, rest | chat(policy(body["messages"][-1]["content"])), {})) as fake:
        command = [INSPECT, "eval", f"{HARNESSES / 'inspect_tasks.py'}@runs", "-T", f"frame={folder}/frame.json"]
        options = ["-T", "n=3", "--model", "openai-api/coc/m", "--display", "none", "--log-dir", folder]
        run(folder, *command, *options, "--log-format", "json", COC_BASE_URL=fake.url, COC_API_KEY="none")
    (log,) = (json.loads(path.read_text()) for path in folder.glob("*_runs_*.json"))
    assert log["results"]["scores"][0]["metrics"]["accuracy"]["value"] == 1
    assert len(fake.bodies) == 9
    for body in fake.bodies:
        *before, last = body["messages"]
        assert before[0]["content"] == frame[0]["content"]
        assert last not in before
        assert len(before) == len(frame) - 2 * (last in frame)


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
    tasks = ["verifiers_steps", "--env.taskset.n", 3, "-n", 4, "--no-push", "--run.dir", "found", "--output-dir", "."]
    how = ["--env.agent.harness.id", "null", "--env.agent.runtime.type", "subprocess"]
    model = ["--model", "hanoi-pda", "--client.base-url", url, "--client.api-key-var", "KEY"]
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    run(tmp_path, BIN / "vf-eval", *tasks, *how, *model, KEY="none", PATH=path, PYTHONPATH=str(HARNESSES))
    episodes = [json.loads(line) for line in (tmp_path / "found" / "traces.jsonl").read_text().splitlines()]
    traces = [trace for episode in episodes for trace in episode["traces"]]
    assert [trace["rewards"]["exact"]["score"] for trace in traces] == [1] * 4


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
