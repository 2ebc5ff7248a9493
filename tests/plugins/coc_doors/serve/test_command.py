"""`coc serve` on the command line: what it refuses before it listens."""

import socket
import sys

import pytest

from coc_core.extras import install_command
from tests.support.sleepy_backend import write_checkpoint


def test_there_must_be_a_model(refused):
    assert "Missing option '--model'" in refused(2, "serve")


def test_an_unknown_model(refused):
    assert "did you mean 'hanoi-pda'?" in refused(2, "serve", "--model", "hanoi-pdx")


def test_a_broken_checkpoint(refused, tmp_path):
    assert "is not a checkpoint" in refused(3, "serve", "--model", tmp_path / "nothing")
    assert "config.json" in refused(3, "serve", "--model", tmp_path)


@pytest.mark.parametrize("host", ["localhost", "example.org", "127.1", "1.2.3.4:80", ""])
def test_a_host_is_an_address(refused, host):
    assert "is not an IP address; give one such as 127.0.0.1" in refused(2, "serve", "--model", "x", "--host", host)


@pytest.mark.parametrize(
    "words", [("--port", "65536"), ("--port", "x"), ("--timeout", "0"), ("--max-waiting", "-1"), ("--nonsense",)]
)
def test_numbers_out_of_range(refused, words):
    refused(2, "serve", "--model", "x", *words)


def test_a_port_that_is_taken(refused, tmp_path):
    plugin = [*("--plugin", "tests/support/sleepy_backend.py"), "--model", write_checkpoint(tmp_path / "mine")]
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        line = refused(2, "serve", *plugin, "--port", port)
    assert f"can't listen on 127.0.0.1, port {port}: Address already in use; choose another --port or --host" in line


def test_an_address_of_another_machine(refused, tmp_path):
    plugin = [*("--plugin", "tests/support/sleepy_backend.py"), "--model", write_checkpoint(tmp_path / "mine")]
    assert "can't listen on 192.0.2.1" in refused(2, "serve", *plugin, "--host", "192.0.2.1", "--port", 0)


@pytest.mark.parametrize("missing", ["starlette.applications", "uvicorn"])
def test_a_missing_package_names_the_command_that_installs_it(refused, monkeypatch, missing):
    for name in [
        name for name in sys.modules if name.startswith("coc_doors.serve.") and name != "coc_doors.serve.command"
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    line = refused(2, "serve", "--model", "hanoi-pda")
    assert "`coc serve` needs starlette and uvicorn" in line
    assert install_command("serve").partition(" install ")[2] in line
