"""A real server: many clients, that of OpenAI, where it listens, and how it ends."""

import signal
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

import coc_core as coc
from coc_core.plugin import Registry
from coc_core.setting import checkpoint_folder, open_checkpoint
from tests.support.late_import import Late
from tests.support.serve_process import complete, serving
from tests.support.sleepy_backend import write_checkpoint

pytestmark = pytest.mark.slow

PLUGIN = Path(__file__).parents[3] / "support" / "sleepy_backend.py"
CLIENTS = 30

openai = Late("openai")


@pytest.fixture(scope="module")
def server():
    """A server of shipped checkpoints."""
    with serving("--model", "hanoi-pda", "--model", "pancake") as started:
        yield started


def pairs(domain, n):
    """Prompts of a run and the targets that the shipped model wrote in this process."""
    return list({step.prompt: step.target for step in coc.run(domain, n=n, memory="pda").trace}.items())


def test_many_clients_get_what_a_call_in_this_process_gives(server):
    registry = Registry.installed()
    expected = []
    for model, dialect, domain in (
        ("hanoi-pda", "hanoi/stack", "hanoi"),
        ("pancake:pancake/stack", "pancake/stack", "pancake"),
    ):
        prompts = [prompt for prompt, _ in pairs(domain, 6)][:30]
        folder = checkpoint_folder(registry, model.partition(":")[0])
        targets = open_checkpoint(registry, folder, dialect).complete(prompts)
        expected += [(model, prompt, target) for prompt, target in zip(prompts, targets, strict=True)]
    barrier = threading.Barrier(CLIENTS)

    def client(number):
        barrier.wait()
        for place in range(3):
            model, prompt, target = expected[(7 * number + place) % len(expected)]
            status, document = complete(server.port, model, prompt)
            assert status == 200, document
            assert document["choices"][0]["text"] == target
        return True

    with ThreadPoolExecutor(CLIENTS) as pool:
        assert all(pool.map(client, range(CLIENTS)))


def test_the_client_of_openai(server):
    ((prompt, target), (other, other_target), *_) = pairs("hanoi", 3)
    with openai.OpenAI(base_url=f"http://127.0.0.1:{server.port}/v1", api_key="none", max_retries=0) as client:
        assert "hanoi-pda" in [model.id for model in client.models.list()]
        found = client.completions.create(
            model="hanoi-pda", prompt=[prompt, other], max_tokens=500, temperature=0, logprobs=2, seed=1
        )
        assert [choice.text for choice in found.choices] == [target, other_target]
        assert {choice.finish_reason for choice in found.choices} == {"stop"}
        logprobs = found.choices[0].logprobs
        assert len(logprobs.tokens) == len(logprobs.token_logprobs) == len(logprobs.text_offset)
        assert all(-0.1 < each <= 0 for each in logprobs.token_logprobs)  # it knows this prompt
        assert found.usage.completion_tokens > len(logprobs.tokens)
        short = client.completions.create(model="hanoi-pda", prompt=prompt, max_tokens=1)
        assert short.choices[0].finish_reason == "length"
        with pytest.raises(openai.NotFoundError, match="there is no model 'gpt'"):
            client.completions.create(model="gpt", prompt=prompt)
        with pytest.raises(openai.BadRequestError, match="no token for"):
            client.completions.create(model="hanoi-pda", prompt="Grüße")
        messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": prompt}]
        chat = partial(client.chat.completions.create, model="hanoi-pda", messages=messages)
        assert [choice.message.content for choice in chat().choices] == [target]
        (event,) = chat(stream=True, stream_options={"include_usage": True})
        assert (event.choices[0].delta.content, event.choices[0].finish_reason) == (target, "stop")


@pytest.mark.parametrize(
    ("number", "code", "said"), [(signal.SIGINT, 130, "coc: error: interrupted\n"), (signal.SIGTERM, 0, "")]
)
def test_it_ends_after_the_requests_under_way(tmp_path, number, code, said):
    folder = write_checkpoint(tmp_path / "mine")
    with serving("--model", folder, "--plugin", PLUGIN) as started, ThreadPoolExecutor(2) as pool:
        with pytest.raises(ConnectionRefusedError):  # it listens on one address
            socket.create_connection(("127.0.0.2", started.port), timeout=5)
        idle = socket.create_connection(("127.0.0.1", started.port))
        calls = [pool.submit(complete, started.port, "mine", f"sleep {seconds}") for seconds in (1, 0.5)]
        time.sleep(0.3)
        started.process.send_signal(number)
        time.sleep(0.4)
        with pytest.raises(ConnectionError):
            complete(started.port, "mine", "late")
        assert [each.result()[0] for each in calls] == [200, 200]
        assert started.process.wait(10) == code
        idle.close()
        assert (started.process.stdout.read(), started.process.stderr.read()) == ("", said)


def test_a_second_interrupt_is_immediate(tmp_path):
    folder = write_checkpoint(tmp_path / "mine")
    head = b"POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n"
    with (
        serving("--model", folder, "--plugin", PLUGIN) as started,
        socket.create_connection(("127.0.0.1", started.port)) as one,
    ):
        one.sendall(head)
        time.sleep(0.3)
        started.process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        assert started.process.poll() is None
        started.process.send_signal(signal.SIGINT)
        assert started.process.wait(10) == 130
        assert started.process.stderr.read() == "coc: error: interrupted\n"
