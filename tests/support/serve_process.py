"""A real `coc serve` in a process of its own, started by its command line."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager
from types import SimpleNamespace

PATIENCE = 120  # seconds


@contextmanager
def serving(*arguments, end=signal.SIGTERM):
    """Runs `coc serve` on a free port while the block runs; gives the process, the port and the line that it printed."""
    command = [sys.executable, "-m", "coc_core", "serve", "--port", "0", *map(str, arguments)]
    environment = {**os.environ, "NO_COLOR": "1", "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
    try:
        lines = []
        for line in process.stderr:
            lines.append(line)
            if line.startswith("serving "):
                break
        found = re.fullmatch(r"serving .* at http://(\S+):(\d+)/v1\n", lines[-1] if lines else "")
        assert found, lines
        yield SimpleNamespace(process=process, port=int(found[2]), line=lines[-1], lines=lines)
        if process.poll() is None:
            process.send_signal(end)
            process.wait(PATIENCE)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(PATIENCE)
        process.stderr.close()
        process.stdout.close()


def call(port, method, path, document=None, **headers):
    """The status and the JSON document of a response."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        body = document if isinstance(document, bytes | None) else json.dumps(document).encode()
        kind = {} if body is None else {"content-type": "application/json"}
        connection.request(method, path, body, kind | headers)
        response = connection.getresponse()
        assert response.headers["content-type"] == "application/json"
        return response.status, json.loads(response.read())
    finally:
        connection.close()


def complete(port, model, prompt, **more):
    """The status and the document for a request of completions."""
    return call(port, "POST", "/v1/completions", {"model": model, "prompt": prompt, **more})
