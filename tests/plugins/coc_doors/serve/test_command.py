"""`coc serve` on the command line: what it refuses before it listens."""

import socket
import sys

import pytest

from coc_core.extras import install_command
from tests.support.sleepy_backend import write_checkpoint


@pytest.mark.parametrize(
    ("code", "words", "text"),
    [
        (2, (), "Missing option '--model'"),
        (2, ("--model", "hanoi-pdx"), "did you mean 'hanoi-pda'?"),
        (3, ("--model", "nothing/here"), "is not a checkpoint"),
        (2, ("--model", "x", "--port", "65536"), "--port"),
    ],
)
def test_what_is_refused(refused, code, words, text):
    assert text in refused(code, "serve", *words)


def test_a_port_that_is_taken(refused, tmp_path):
    plugin = [*("--plugin", "tests/support/sleepy_backend.py"), "--model", write_checkpoint(tmp_path / "mine")]
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        line = refused(2, "serve", *plugin, "--port", port)
    assert f"can't listen on 127.0.0.1, port {port}: Address already in use; choose another --port" in line


def test_without_its_libraries(refused, monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    line = refused(2, "serve", "--model", "hanoi-pda")
    assert "`coc serve` needs starlette and uvicorn" in line
    assert install_command("serve") in line
