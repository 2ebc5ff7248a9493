"""The gate that all output passes, and standard streams that are closed, full, not read or not UTF-8."""

import io
import json
import os
import shutil
import sys
import unicodedata
import warnings
from itertools import product
from pathlib import Path

import pytest
from rich.table import Table

from coc_core.cli import console, main, streams
from coc_core.cli.streams import GuardedStream, Output, gated, visible
from coc_core.errors import StorageError
from coc_core.memories import Reference
from coc_core.runfile import RunFile
from tests.support import command_process
from tests.support.command_process import CLOSED, FULL, LEFT
from tests.support.for_each import for_each

needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")

RUN = ("run", "-d", "hanoi", "-n", "3", "--model", "reference")
HOSTILE = "a\x1b[31mb\x9bc\x07\x7f\u202ed\u200b\u2028e\r\t\ud800[red]f[/]:smile:"
SHOWN = r"a\x1b[31mb\x9bc\x07\x7f\u202ed\u200b\u2028e\r\t\ud800[red]f[/]:smile:"
COMMANDS = [
    ("--help",),
    ("--version",),
    ("plugins",),
    ("plugins", "--json"),
    ("trace", "-d", "hanoi", "-n", "2"),
    ("run", "--help"),
    ("--show-completion", "bash"),
    (),
    RUN,
    (*RUN, "--json"),
]
OTHERS = [{"stdin": CLOSED}, {"stderr": CLOSED}, {"stderr": LEFT}, {"stdout": LEFT}]


def test_whatever_a_terminal_would_obey_or_hide_is_escaped():
    assert visible(HOSTILE) == SHOWN
    text = "two lines\nof █ and é"
    assert visible(text) is text


def test_no_control_character_and_no_invisible_one_passes():
    for code in range(sys.maxunicode + 1):
        character = chr(code)
        if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") and character != "\n":
            assert visible(character).isascii(), hex(code)


def through_each_way():
    """Hostile text by each way that there is, on both streams."""
    for screen in (console.out(), console.err()):
        screen.print(HOSTILE)
        screen.print(console.text(HOSTILE, (HOSTILE, "bold red")), soft_wrap=True)
        screen.print(console.panel(HOSTILE, HOSTILE))
        table = Table(HOSTILE, title=HOSTILE)
        table.add_row(HOSTILE)
        screen.print(table)
    console.echo(HOSTILE)
    console.show(HOSTILE, [(HOSTILE, "bold red"), console.table([HOSTILE], [[HOSTILE]])])
    console.be_json(True)
    console.report({"text": HOSTILE})
    console.be_json(False)
    for say in (console.warn, console.error, console.show_traceback):
        say(HOSTILE)
    with console.status(HOSTILE):
        pass
    print(HOSTILE)
    print(HOSTILE, file=sys.stderr)
    sys.stdout.writelines([HOSTILE, "\n"])
    sys.stderr.write(warnings.formatwarning(HOSTILE, UserWarning, HOSTILE, 1, HOSTILE))  # as Python itself does


def test_no_way_leads_around_the_gate(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")
    with gated():
        through_each_way()
    out, err = capsys.readouterr()
    for text in (out, err):
        assert visible(text) == text
    assert out.count(SHOWN) >= 9
    assert err.count(SHOWN) >= 9
    document = next(line for line in out.splitlines() if line.startswith('{"text"'))
    assert json.loads(document) == {"text": HOSTILE}


@pytest.mark.parametrize(("unwanted", "shown"), [("", f"\x1b[31m{SHOWN}\x1b[0m\n"), ("1", f"{SHOWN}\n")])
def test_on_a_terminal_only_its_own_codes_are_obeyed_and_no_colour_is_there_unasked(monkeypatch, unwanted, shown):
    monkeypatch.setenv("NO_COLOR", unwanted)
    monkeypatch.setenv("TERM", "xterm-256color")
    file = io.StringIO()
    file.isatty = lambda: True
    monkeypatch.setattr(sys, "stdout", file)
    with gated():
        console.out().print(console.text((HOSTILE, "red")), soft_wrap=True)
    assert file.getvalue() == shown


def test_the_gate_is_a_text_file_that_cannot_be_closed_or_passed():
    file = io.StringIO()
    gate = GuardedStream(Output(file, needed=True))
    with gate:
        assert gate.write("\x1b") == 1
    gate.reconfigure(encoding="ascii")
    gate.close()
    gate.flush()
    assert (file.getvalue(), gate.closed, gate.encoding, gate.errors) == ("\\x1b", False, "utf-8", "backslashreplace")
    assert (gate.writable(), gate.readable(), gate.isatty()) == (True, False, False)
    assert not hasattr(gate, "buffer")
    assert GuardedStream(Output(sys.__stdout__, needed=True)).fileno() == sys.__stdout__.fileno()
    with pytest.raises(OSError, match="closed"):
        GuardedStream(Output(None, needed=True)).fileno()


def test_a_plugin_that_prints_passes_the_gate_and_may_close_what_it_likes(coc, tmp_path):
    path = tmp_path / "chatty.py"
    path.write_text("import sys\nprint('\\x1b[2J\\u202e')\nsys.stdout.close()\nsys.stderr.close()\n")
    done = coc(*RUN, "--plugin", path)
    assert done.code == 0
    assert "\\x1b[2J\\u202e\n" in done.out + done.err
    assert "solved" in done.out
    assert "\x1b" not in done.out + done.err


@pytest.mark.parametrize("words", [("\x1b[2J",), ("run", "-d", "\x1b]0;x\x07"), ("run", "--\x9b", "\udcff")])
def test_what_was_typed_is_shown_without_escapes(refused, words):
    assert visible(line := refused(2, *words)) == line


def test_what_the_encoding_lacks_is_escaped():
    for encoding, shown in (("ascii", "\\xe9 \\u4e2d"), ("latin-1", "é \\u4e2d"), ("utf-8", "é 中")):
        raw = io.BytesIO()
        output = Output(io.TextIOWrapper(raw, encoding=encoding, write_through=True), needed=True)
        output.write("é 中")
        assert raw.getvalue().decode(encoding) == shown


@needs_full
@for_each("words", COMMANDS)
def test_a_result_that_cannot_be_delivered_is_an_error_of_storage(words):
    state, reason = (FULL, "No space left on device") if COMMANDS.index(words) % 2 else (CLOSED, "it is closed")
    done = command_process.coc(*words, stdout=state)
    line = f"coc: error: standard output can't be written: {reason}; send it to a file or a pipe that can be written\n"
    assert (done.code, done.err) == (5, line)


@needs_full
@pytest.mark.parametrize("state", [FULL, CLOSED, LEFT])
def test_what_has_to_be_kept_is_kept(state, tmp_path):
    path = tmp_path / "a.run"
    done = command_process.coc(
        *RUN, "--save", path, "--plan", tmp_path / "plan", stdin=CLOSED, stdout=state, stderr=state
    )
    assert done.code == (0 if state == LEFT else 5)
    assert len((tmp_path / "plan").read_text().splitlines()) == 7
    with RunFile.open(path) as runfile:
        assert (runfile.steps, runfile.outcome.status) == (10, "solved")


@for_each(("words", "stream"), [*zip(COMMANDS, [*OTHERS, *OTHERS, *OTHERS], strict=False), *product([RUN], OTHERS)])
def test_any_other_stream_changes_nothing(words, stream):
    done = command_process.coc(*words, **stream)
    assert (done.code, done.err) == (0 if words else 2, "")


def test_errors_keep_their_codes_whatever_the_streams():
    for state in (CLOSED, LEFT):
        done = command_process.coc("run", "-d", "hanio", "--json", stdout=state, stderr=state)
        assert done.code == 2
    done = command_process.coc("run", "-d", "hanio", "--json", stdout=CLOSED)
    assert done.code == 2
    assert done.err.count("\n") == 1


def test_a_trace_ends_where_nobody_reads(monkeypatch):
    lines = []
    monkeypatch.setattr(console, "echo", lines.append)
    monkeypatch.setattr(sys, "stdout", GuardedStream(output := Output(io.StringIO(), needed=True)))
    console.stream("one")
    output.reader_gone = True
    with pytest.raises(streams.ReaderGone):
        console.stream("two")
    assert lines == ["one", "two"]


def test_a_pipe_of_a_plugin_that_breaks_is_not_a_reader_that_left(coc, monkeypatch):
    def breaks(*_):
        raise BrokenPipeError(32, "Broken pipe")

    monkeypatch.setattr(Reference, "_complete", breaks)
    done = coc(*RUN)
    assert (done.code, done.out) == (4, "")
    assert "Broken pipe" in done.err


def test_a_failure_is_not_forgotten_though_somebody_caught_it():
    class Full(io.StringIO):
        def write(self, text):
            raise OSError(28, "No space left on device")

    output = Output(Full(), needed=True)
    for attempt in (lambda: output.write("a"), output.flush, lambda: output.write("b")):
        with pytest.raises(StorageError, match="No space left"):
            attempt()
    quiet = Output(Full(), needed=False)
    quiet.write("a")
    quiet.flush()
    assert quiet.reader_gone


def test_a_stream_that_was_closed_meanwhile_is_an_error_too():
    file = io.StringIO()
    output = Output(file, needed=True)
    file.close()
    assert not output.isatty()
    for closed in (output, Output(None, needed=True)):
        with pytest.raises(StorageError, match="it is closed"):
            closed.write("a")


def test_fish_gets_its_tabs_and_its_code(monkeypatch, capsys):
    monkeypatch.setenv("_COC_COMPLETE", "complete_fish")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "coc repl")
    for action, code, out in (
        ("get-args", 0, "replay\tPrint a step of a recorded run.\n"),
        ("is-args", 0, ""),
    ):
        monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", action)
        assert main([]) == code
        assert capsys.readouterr() == (out, "")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "coc nothing-like-it")
    assert main([]) == 1


def test_an_installation_of_completion_that_fails_is_an_error_of_storage(refused, coc, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HOME", str(tmp_path / "file"))
    assert "the completion can't be installed: " in refused(5, "--install-completion", "bash")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert coc("--install-completion", "bash").code == 0
    assert shutil.which("coc") is None or list(tmp_path.glob(".bash_completions/*"))


@pytest.mark.parametrize("loaded", [True, False])
def test_results_have_a_descriptor_of_their_own_while_others_write_to_theirs(capfd, monkeypatch, loaded):
    import ctypes

    if not loaded:
        monkeypatch.delitem(sys.modules, "ctypes")
    with open(1, "w", encoding="utf-8", closefd=False) as stream, streams._kept_apart(stream) as apart:
        os.write(1, b"noise\n")
        if loaded:
            ctypes.CDLL(None).puts(b"noise of C")
        apart.write("result\n")
    os.write(1, b"afterwards\n")
    out, err = capfd.readouterr()
    assert out == "result\nafterwards\n"
    assert err == ("noise\nnoise of C\n" if loaded else "noise\n")


def test_a_stream_with_another_descriptor_is_left_where_it_is(tmp_path):
    with (tmp_path / "out").open("w") as stream, streams._kept_apart(stream) as apart:
        assert apart is stream
    with streams._kept_apart(None) as apart:
        assert apart is None
