"""Requests a second of `coc serve`.

    python tests/benchmarks/serving.py [--seconds 10] [--rounds 3] [--clients 1 8 32] [--checkpoint NAME] [--size N]

Each client sends one prompt of a run at a time, over a connection that stays open, and every completion is compared
with what the model writes in this process. The best of the rounds counts. The clients are one process beside the
server, so run it on a machine with two idle cores at least.
"""

import argparse
import asyncio
import json
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager

import coc_core as coc
from coc_core.plugin import CheckpointSpec, Registry
from coc_core.setting import checkpoint_folder, open_checkpoint

SETTINGS = {"linked": ("tape", "inline"), "chain": ("tape", "inline"), "stack": ("pda", "symbolic")}
PATIENCE = 300  # seconds until a server answers
MOST_TOKENS = 200  # more than a target has


def expected(name, size):
    """The distinct prompts of a run, each with the target that the checkpoint writes in this process."""
    registry = Registry.installed()
    (dialect,) = registry.find(CheckpointSpec, name).dialects
    domain, _, rest = dialect.partition("/")
    memory, arith = SETTINGS[rest.partition("/")[0]]
    run = coc.run(domain, size, memory=memory, arith="symbolic" if "symbolic" in rest else arith, model="reference")
    prompts = list(dict.fromkeys(step.prompt for step in run.trace))
    model = open_checkpoint(registry, checkpoint_folder(registry, name), dialect)
    return dict(zip(prompts, model.complete(prompts), strict=True))


@contextmanager
def started(command, port):
    """A server in a process of its own, from its first answer until the block ends."""
    process = subprocess.Popen(list(map(str, command)), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5).close()
                break
            except OSError:
                if process.poll() is not None or time.monotonic() > end:
                    sys.exit(f"{command[0]} did not start: {process.poll()}")
                time.sleep(0.2)
        yield
    finally:
        process.terminate()
        process.wait(60)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


async def client(port, model, pairs, end):
    """Send requests until the end; how many were answered before it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answered = 0
    for prompt, target in pairs:
        body = json.dumps({"model": model, "prompt": prompt, "max_tokens": MOST_TOKENS, "temperature": 0}).encode()
        head = f"POST /v1/completions HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Type: application/json\r\n"
        writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        text = await reader.readexactly(int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0]))
        assert b" 200 " in head[:20], text
        found = json.loads(text)["choices"][0]["text"]
        assert found == target, (prompt, target, found)
        if time.monotonic() >= end:
            break
        answered += 1
    writer.close()
    return answered


async def rate(port, model, pairs, clients, seconds):
    """Requests a second of so many clients, each of which begins at another prompt."""
    end = time.monotonic() + seconds

    def endless(start):
        while True:
            yield from pairs[start:] + pairs[:start]

    starts = [len(pairs) * number // clients for number in range(clients)]
    return sum(await asyncio.gather(*(client(port, model, endless(start), end) for start in starts))) / seconds


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--checkpoint", default="hanoi-tape-symbolic")
    options.add_argument("--size", type=int, default=8, help="of the problem whose prompts are sent")
    options.add_argument("--clients", type=int, nargs="+", default=[1, 8, 32])
    options.add_argument("--seconds", type=float, default=10)
    options.add_argument("--rounds", type=int, default=3)
    chosen = options.parse_args()
    pairs, port = list(expected(chosen.checkpoint, chosen.size).items()), free_port()
    print(f"{chosen.checkpoint}, {len(pairs):,} distinct prompts; requests a second, best of {chosen.rounds} rounds")
    with started([sys.executable, "-m", "coc_core", "serve", "--model", chosen.checkpoint, "--port", port], port):
        for clients in chosen.clients:
            asyncio.run(rate(port, chosen.checkpoint, pairs, clients, 1))  # a warm-up
            found = [
                asyncio.run(rate(port, chosen.checkpoint, pairs, clients, chosen.seconds)) for _ in range(chosen.rounds)
            ]
            print(f"{clients:>4} clients: {max(found):,.1f}", flush=True)


if __name__ == "__main__":
    main()
