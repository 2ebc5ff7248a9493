"""A server that others wrote, `transformers serve`, on an exported checkpoint: what it lacks, and that it solves."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

COMMAND = shutil.which("transformers", path=Path(sys.executable).parent)
MISSING = [name for name in ("accelerate", "fastapi", "openai", "uvicorn") if find_spec(name) is None]
PATIENCE = 120  # seconds
FACTS = ("outcome", "steps", "actions", "model_calls")


@contextmanager
def served(folder):
    """Runs `transformers serve` on a free port while the block runs; gives the address of its endpoint."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    command = [COMMAND, "serve", folder, "--device", "cpu", "--dtype", "float32", "--port", str(port)]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=environment)
    try:
        end = time.monotonic() + PATIENCE
        while True:
            assert process.poll() is None
            assert time.monotonic() < end
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5).close()
                break
            except OSError:
                time.sleep(0.2)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        process.wait(PATIENCE)


@pytest.mark.slow
@pytest.mark.skipif(COMMAND is None or bool(MISSING), reason="needs transformers[serving]")
def test_transformers_serve_is_probed_and_solves(coc, tmp_path):
    exported = tmp_path / "gpt2"
    assert coc("export", "hanoi-tape-symbolic", "--to", "transformers", exported).code == 0
    setting = ("-d", "hanoi", "--memory", "tape")
    with served(exported) as url:
        model = f"openai:{exported},base_url={url},api=completions,max_tokens=200,deterministic=yes"
        probed = coc("probe", *setting, "--model", f"{model},retries=1")
        through = coc("run", *setting, "-n", 8, "--model", model, "--plan", tmp_path / "through", "--json")
    assert (probed.code, through.code) == (0, 0), probed.err + through.err
    verdicts = {line[:16].strip(): line[16:].split()[0] for line in probed.out.splitlines()}
    assert {name for name, verdict in verdicts.items() if verdict == "failed"} == {"a list of models", "stop"}
    assert {name for name, verdict in verdicts.items() if verdict == "ignored"} == {"n", "logprobs"}
    assert {name for name, verdict in verdicts.items() if verdict == "refused"} == {
        "an unknown key",
        "lists of prompts",
    }
    here = coc("run", *setting, "-n", 8, "--model", "hanoi-tape-symbolic", "--plan", tmp_path / "here", "--json")
    assert (tmp_path / "through").read_bytes() == (tmp_path / "here").read_bytes()
    ours, theirs = (json.loads(done.out) for done in (here, through))
    assert [ours[fact] for fact in FACTS] == [theirs[fact] for fact in FACTS]
