"""A real server: many clients, hostile ones, where it listens, and how it ends."""

import json
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path

import pytest

import coc_core as coc
from coc_core.plugin import Registry
from coc_core.setting import checkpoint_folder, open_checkpoint
from coc_doors.serve.limits import Limits
from tests.support.late_import import Late
from tests.support.serve_process import call, complete, serving
from tests.support.sleepy_backend import write_checkpoint

pytestmark = pytest.mark.slow

PLUGIN = Path(__file__).parents[3] / "support" / "sleepy_backend.py"
CLIENTS = 60

openai = Late("openai")


@pytest.fixture(scope="module")
def server():
    """A server of shipped checkpoints."""
    with serving("--model", "hanoi-pda", "--model", "pancake") as started:
        yield started


@pytest.fixture(scope="module")
def sleepy(tmp_path_factory):
    """A server that waits two seconds at most, with a model that sleeps and fails when it is told to."""
    folder = write_checkpoint(tmp_path_factory.mktemp("sleepy") / "mine")
    with serving("--model", folder, "--plugin", PLUGIN, "--timeout", 2, "--max-waiting", 4) as started:
        yield started


def pairs(domain, memory, n):
    """Prompts of a run and the targets that the shipped model wrote in this process."""
    run = coc.run(domain, n=n, memory=memory)
    return list({step.prompt: step.target for step in run.trace}.items())


def test_it_lists_its_models(server):
    status, document = call(server.port, "GET", "/v1/models")
    assert status == 200
    ids = [each["id"] for each in document["data"]]
    assert ids[:2] == ["hanoi-pda", "hanoi-pda:hanoi/stack"]
    assert "pancake:pancake/stack" in ids
    assert "pancake" not in ids
    for model in ids:
        assert call(server.port, "GET", f"/v1/models/{model}") == (200, document["data"][ids.index(model)])
    assert call(server.port, "GET", "/health")[1]["status"] == "ok"


def test_many_clients_get_what_a_call_in_this_process_gives(server):
    registry = Registry.installed()
    expected = []
    for model, name, dialect, domain in (
        ("hanoi-pda", "hanoi-pda", "hanoi/stack", "hanoi"),
        ("pancake:pancake/stack", "pancake", "pancake/stack", "pancake"),
    ):
        prompts = [prompt for prompt, _ in pairs(domain, "pda", 8)][:60]
        targets = open_checkpoint(registry, checkpoint_folder(registry, name), dialect).complete(prompts)
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
    ((prompt, target), (other, other_target), *_) = pairs("hanoi", "pda", 3)
    with openai.OpenAI(base_url=f"http://127.0.0.1:{server.port}/v1", api_key="none", max_retries=0) as client:
        assert "hanoi-pda" in [model.id for model in client.models.list()]
        assert client.models.retrieve("hanoi-pda:hanoi/stack").id == "hanoi-pda:hanoi/stack"
        found = client.completions.create(
            model="hanoi-pda", prompt=[prompt, other], max_tokens=500, temperature=0, n=2, logprobs=2, seed=1
        )
        assert [choice.text for choice in found.choices] == [target, target, other_target, other_target]
        assert {choice.finish_reason for choice in found.choices} == {"stop"}
        logprobs = found.choices[0].logprobs
        assert len(logprobs.tokens) == len(logprobs.token_logprobs) == len(logprobs.text_offset)
        assert all(-0.1 < each <= 0 for each in logprobs.token_logprobs)  # it knows this prompt
        assert found.usage.completion_tokens > len(logprobs.tokens)
        short = client.completions.create(model="hanoi-pda", prompt=prompt, max_tokens=1)
        assert short.choices[0].finish_reason == "length"
        with pytest.raises(openai.NotFoundError, match="there is no model 'gpt'"):
            client.completions.create(model="gpt", prompt=prompt)
        with pytest.raises(openai.BadRequestError, match="temperature"):
            client.completions.create(model="hanoi-pda", prompt=prompt, temperature=1)
        with pytest.raises(openai.BadRequestError, match="no token for"):
            client.completions.create(model="hanoi-pda", prompt="Grüße")
        with pytest.raises(openai.BadRequestError, match="comes whole"):
            client.completions.create(model="hanoi-pda", prompt=prompt, stream=True)


def test_the_client_of_openai_in_a_chat(server):
    ((prompt, target), *_) = pairs("hanoi", "pda", 3)
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": prompt}]
    with openai.OpenAI(base_url=f"http://127.0.0.1:{server.port}/v1", api_key="none", max_retries=0) as client:
        chat = partial(client.chat.completions.create, model="hanoi-pda", messages=messages)
        found = chat(n=2, max_completion_tokens=500)
        assert [choice.message.content for choice in found.choices] == [target, target]
        (event,) = chat(stream=True, stream_options={"include_usage": True})
        assert (event.choices[0].delta.content, event.choices[0].finish_reason) == (target, "stop")
        assert found.usage.completion_tokens == 2 * event.usage.completion_tokens
        with pytest.raises(openai.BadRequestError, match="no token for"):
            chat(messages=[{"role": "user", "content": "Grüße"}], stream=True)
        with pytest.raises(openai.NotFoundError, match="there is no model 'gpt'"):
            chat(model="gpt")


def request(body=b"{}", path="/v1/completions", method="POST", host="localhost", kind="application/json", more=""):
    """The bytes of a request."""
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n{more}\r\n"
    )
    return head.encode() + body


def body(text):
    """The body of a good request with something else in it."""
    return f'{{"model": "mine", "prompt": "a", {text}}}'.encode()


HOSTILE = {
    "no JSON": (request(b"hello"), 400),
    "an empty body": (request(b""), 400),
    "a list": (request(b"[]"), 400),
    "a text": (request(b'"x"'), 400),
    "cut off": (request(b'{"model": "mine", "prompt": "a'), 400),
    "not UTF-8": (request(b'{"model": "\xff\xfe"}'), 400),
    "NaN": (request(body('"temperature": NaN')), 400),
    "Infinity": (request(body('"temperature": -Infinity')), 400),
    "1e999": (request(body('"temperature": 1e999')), 400),
    "many digits": (request(body('"n": ' + "9" * 100_000)), 400),
    "a key twice": (request(body('"prompt": "b"')), 400),
    "deep lists": (request(body('"stop": ' + "[" * 200_000 + "]" * 200_000)), 400),
    "deep objects": (request(body('"stop": ' + '{"a":' * 50_000 + "1" + "}" * 50_000)), 400),
    "many entries": (request(body('"stop": [' + "1," * 400_000 + "1]")), 400),
    "many prompts": (request(b'{"model": "mine", "prompt": [' + b'"a",' * 300 + b'"a"]}'), 400),
    "a long prompt": (request(b'{"model": "mine", "prompt": "' + b"a" * 70_000 + b'"}'), 400),
    "wrong types": (request(b'{"model": {"id": "mine"}, "prompt": 5}'), 400),
    "an unknown key": (request(body('"__class__": "x"')), 400),
    "a long name of a model": (request(b'{"model": "' + b"m" * 100_000 + b'", "prompt": "a"}'), 404),
    "what a terminal obeys": (request(b'{"model": "\\u001b[2J\\n", "prompt": "a"}'), 404),
    "a body of 2 MB": (request(b'{"model": "' + b"m" * 2_000_000 + b'"}'), 413),
    "a body that is said to have 1 TB": (request().replace(b"Length: 2", b"Length: 1000000000000"), 413),
    "1 TB, if we agree": (
        request(more="Expect: 100-continue\r\n").replace(b"Length: 2", b"Length: 1000000000000"),
        413,
    ),
    "a form": (request(b"model=mine", kind="application/x-www-form-urlencoded"), 415),
    "a text from another page": (request(kind="text/plain"), 415),
    "another host": (request(host="evil.example"), 421),
    "another host with our port": (request(host="evil.example:8000"), 421),
    "a host that begins as ours": (request(host="localhost.evil.example"), 421),
    "an empty host": (request(host=""), 421),
    "two hosts": (request(more="Host: evil.example\r\n"), 400),
    "no host": (b"GET /v1/models HTTP/1.1\r\n\r\n", 400),
    "no host in HTTP/1.0": (b"GET /v1/models HTTP/1.0\r\n\r\n", 421),
    "dots": (request(path="/v1/models/../../etc/passwd", method="GET"), 404),
    "encoded dots": (request(path="/v1/models/%2e%2e%2f%2e%2e%2fetc%2fpasswd", method="GET"), 404),
    "two slashes": (request(path="//v1/models", method="GET"), 404),
    "a slash too many": (request(path="/v1/completions/"), 404),
    "a zero byte": (request(path="/v1/models/%00", method="GET"), 404),
    "not UTF-8 in a path": (request(path="/v1/models/%ff", method="GET"), 404),
    "the address of another server": (request(path="http://evil.example/v1/models", method="GET"), 404),
    "another method": (request(method="DELETE"), 405),
    "a proxy": (request(path="evil.example:443", method="CONNECT"), 404),
    "another protocol": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"x" * 100 + b"\r\n\r\n", 400),
    "no version": (b"GET /v1/models\r\n\r\n", 400),
    "a long head": (request(more=f"X: {'x' * 100_000}\r\n"), 400),
    "many heads": (request(more="X: x\r\n" * 20_000), 400),
    "a negative length": (request().replace(b"Length: 2", b"Length: -1"), 400),
    "a length of many digits": (request().replace(b"Length: 2", b"Length: " + b"9" * 5000), 400),
    "two lengths": (request(more="Content-Length: 5\r\n"), 400),
    "a chunk without a size": (request(more="Transfer-Encoding: chunked\r\n") + b"zz\r\n", 400),
    "a slow body": (request().replace(b"Length: 2", b"Length: 50"), 408),
    "a chat without a user": (request(b'{"model": "mine", "messages": []}', "/v1/chat/completions"), 400),
    "a chat that is too long": (request(b'{"messages": "' + b"m" * 2_000_000 + b'"}', "/v1/chat/completions"), 413),
    "a form as a chat": (request(b"model=mine", "/v1/chat/completions", kind="text/plain"), 415),
    "a chat elsewhere": (request(path="/v1/chat", method="GET"), 404),
    "a fault": (request(b'{"model": "mine", "prompt": "fault"}'), 500),
    "a bug": (request(b'{"model": "mine", "prompt": "raise"}'), 500),
    "a long computation": (request(b'{"model": "mine", "prompt": "sleep 2.5"}'), 504),
}


def sent(port, data, patience=30):
    """What the server sends back, until it ends the connection."""
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=patience) as connection:
        try:
            connection.sendall(data)
            while part := connection.recv(1 << 16):
                received += part
        except ConnectionError:  # it need not read to the end what it has refused
            pass
    return received


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_requests_are_refused(sleepy, what):
    data, status = HOSTILE[what]
    received = sent(sleepy.port, data)
    assert received.startswith(f"HTTP/1.1 {status} ".encode()), received[:200]
    head, _, text = received.partition(b"\r\n\r\n")
    assert b"content-type: application/json" in head.lower()
    error = json.loads(text)["error"]
    assert error.keys() == {"message", "type", "param", "code"}
    assert "Traceback" not in error["message"]
    assert error["message"].isprintable()
    assert len(error["message"]) < 300
    assert complete(sleepy.port, "mine", "well")[1]["choices"][0]["text"] == "WELL"


def test_heads_that_do_not_come_end_their_connection(sleepy):
    for beginning in (b"", b"GET /v1/mod", b"GET /health HTTP/1.1\r\nHost: localhost\r\n"):
        started = time.monotonic()
        with socket.create_connection(("127.0.0.1", sleepy.port), timeout=30) as connection:
            for byte in beginning:
                connection.sendall(bytes([byte]))
            with suppress(ConnectionError):
                assert connection.recv(100) == b""
        assert 1 < time.monotonic() - started < 30


def test_texts_that_are_no_unicode_come_back(sleepy):
    status, document = complete(sleepy.port, "mine", "\ud800 \x1b")
    assert (status, document["choices"][0]["text"]) == (200, "\ud800 \x1b")


def test_a_full_queue_is_said_to_be_full(sleepy):
    with ThreadPoolExecutor(2) as pool:
        busy = pool.submit(complete, sleepy.port, "mine", "sleep 0.5")
        time.sleep(0.1)
        waiting = pool.submit(complete, sleepy.port, "mine", ["a", "b", "c"])
        time.sleep(0.1)
        status, document = complete(sleepy.port, "mine", ["d", "e"])
        assert (status, document["error"]["type"]) == (429, "rate_limit_error")
        assert document["error"]["message"] == "3 prompts wait already"
        assert (busy.result()[0], waiting.result()[0]) == (200, 200)


def test_no_other_client_feels_a_bug(sleepy):
    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(complete, sleepy.port, "mine", "sleep 0.3")
        time.sleep(0.1)
        bad, *good = [pool.submit(complete, sleepy.port, "mine", prompt) for prompt in ("raise", "a", "b")]
        assert (first.result()[0], bad.result()[0]) == (200, 500)
        assert [each.result()[1]["choices"][0]["text"] for each in good] == ["A", "B"]


def test_a_client_that_leaves_is_missed_by_nobody(sleepy):
    for _ in range(20):
        with socket.create_connection(("127.0.0.1", sleepy.port)) as connection:
            connection.sendall(request(b'{"model": "mine", "prompt": "a"}')[:-5])
        with socket.create_connection(("127.0.0.1", sleepy.port)) as connection:
            connection.sendall(request(b'{"model": "mine", "prompt": "a"}'))
    for _ in range(100):
        if call(sleepy.port, "GET", "/health")[1]["waiting"] == 0:
            break
        time.sleep(0.1)
    assert complete(sleepy.port, "mine", "well")[0] == 200


def test_connections_beyond_the_limit_are_closed(sleepy):
    most = Limits().connections
    with ExitStack() as stack:
        opened = []
        for _ in range(most + 20):
            opened.append(socket.create_connection(("127.0.0.1", sleepy.port), timeout=30))
            stack.callback(opened[-1].close)
        for connection in opened[-10:]:
            with suppress(ConnectionError):
                assert connection.recv(1) == b""
    assert complete(sleepy.port, "mine", "well")[0] == 200


def listening(process):
    """The addresses that a process listens on, from the tables of the system."""
    inodes = {
        target[8:-1] for fd in Path(f"/proc/{process}/fd").iterdir() if (target := _target(fd)).startswith("socket:")
    }
    found = set()
    for table in ("tcp", "tcp6", "udp", "udp6"):
        for line in Path(f"/proc/{process}/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[9] in inodes and fields[3] in ("0A", "07"):
                found.add((table, fields[1]))
    return found


def _target(path):
    try:
        return str(path.readlink())
    except OSError:
        return ""


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="the system has no table of sockets")
def test_nothing_listens_on_another_address(sleepy):
    complete(sleepy.port, "mine", "a")
    assert listening(sleepy.process.pid) == {("tcp", f"0100007F:{sleepy.port:04X}")}
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", sleepy.port), timeout=5)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_it_ends_after_the_requests_under_way(tmp_path, number, code):
    folder = write_checkpoint(tmp_path / "mine")
    with serving("--model", folder, "--plugin", PLUGIN) as started, ThreadPoolExecutor(2) as pool:
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
        assert started.process.stderr.read() == "coc: note: stopped after 2 requests\n"
        assert started.process.stdout.read() == ""


def test_a_second_interrupt_is_immediate(tmp_path):
    folder = write_checkpoint(tmp_path / "mine")
    with (
        serving("--model", folder, "--plugin", PLUGIN) as started,
        socket.create_connection(("127.0.0.1", started.port)) as one,
    ):
        one.sendall(request().replace(b"Length: 2", b"Length: 50"))
        time.sleep(0.3)
        started.process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        assert started.process.poll() is None
        began = time.monotonic()
        started.process.send_signal(signal.SIGINT)
        assert started.process.wait(30) == 130
        assert time.monotonic() - began < 10
        assert started.process.stderr.read() == "coc: error: interrupted\n"


def test_what_it_says_of_itself(tmp_path):
    folder = write_checkpoint(tmp_path / "mine")
    with serving("--model", folder, "--plugin", PLUGIN, "--host", "0.0.0.0", "--allow-host", "box.example") as started:
        assert started.lines == [
            "coc: note: anyone who can reach 0.0.0.0 can use this server: there is no key and no encryption\n",
            f"serving mine, mine:toy/stack at http://0.0.0.0:{started.port}/v1\n",
        ]
        assert call(started.port, "GET", "/health", host="box.example")[0] == 200
        assert call(started.port, "GET", "/health", host="other.example")[0] == 421
        malformed = request(b"zz\r\n", method="PUT").replace(b"Content-Length: 4", b"Transfer-Encoding: chunked")
        assert sent(started.port, malformed).startswith(b"HTTP/1.1 400 ")  # which is not a failure of the server
        assert complete(started.port, "mine", "raise")[0] == 500
        started.process.send_signal(signal.SIGTERM)
        assert started.process.wait(10) == 0
        failed, stopped = started.process.stderr.read().splitlines()
        assert re.fullmatch("coc: note: a request failed: .*the model 'sleepy' raised RuntimeError.*", failed)
        assert stopped == "coc: note: stopped after 0 requests"


def test_it_can_be_quiet(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    folder = write_checkpoint(tmp_path / "mine")
    words = ["serve", "-q", "--port", str(port), "--model", str(folder), "--plugin", str(PLUGIN)]
    process = subprocess.Popen([sys.executable, "-m", "coc_core", *words], stderr=subprocess.PIPE)
    try:
        for _ in range(600):
            with suppress(ConnectionError):
                assert complete(port, "mine", "a")[0] == 200
                break
            time.sleep(0.1)
    finally:
        process.terminate()
    assert process.communicate(timeout=30) == (None, b"")
    assert process.returncode == 0
