"""The page on which a checkpoint runs: what it holds, what is refused, and that it works in a browser."""

import json
import re

import pytest

from coc_view.live import document as module
from tests.support.headless_browser import PROGRAM, browser
from tests.support.saved_runs import saved

HOSTILE = "</script><img src=x onerror=alert(1)>\u202e"
needs_browser = pytest.mark.skipif(PROGRAM is None, reason="there is no browser here")


@pytest.fixture
def recorded(coc, tmp_path):
    """Records a run of a shipped checkpoint."""

    def record(name, *options):
        assert coc("run", *options, "--save", tmp_path / name).code == 0
        return tmp_path / name

    return record


def document(path):
    return json.loads(
        re.search(r'<script type="application/json" id="document">(.*?)</script>', path.read_text("utf-8"))[1]
    )


def test_six_recordings_and_two_checkpoints_fit(coc, recorded, tmp_path):
    runs = [recorded(f"{n}.run", "-d", "hanoi", "-n", n, "--memory", "pda") for n in (2, 3, 4)]
    runs += [recorded(f"b{n}.run", "-d", "blocks", "-n", n) for n in (2, 3, 4)]
    out = tmp_path / "live.html"
    done = coc("view", "--live", *runs, "-o", out)
    assert done.code == 0
    assert done.out == f"{out}: 6 runs, {out.stat().st_size:,} bytes\n"
    assert out.stat().st_size <= 1_600_000
    held = document(out)
    assert [run["checkpoint"] for run in held["runs"]] == [0, 0, 0, 1, 1, 1]
    assert len(held["checkpoints"]) == 2


def test_what_a_page_does_not_run_is_refused(refused, recorded, tmp_path):
    out = tmp_path / "live.html"
    reference = saved(tmp_path / "reference.run")
    assert "no checkpoint here is its reference; leave out --live" in refused(2, "view", "--live", reference, "-o", out)
    assert "shows one run" in refused(2, "view", reference, reference, "-o", out)
    assert "--live shows whole runs" in refused(2, "view", "--live", reference, "--to", 3, "-o", out)
    assert "same file" in refused(2, "view", "--live", reference, "-o", reference)
    other = recorded("other.run", "-d", "blocks-3", "-n", 3)
    assert "can't run the network of blocks-3: token_shift is 3" in refused(2, "view", "--live", other, "-o", out)
    learned = recorded("learned.run", "-d", "hanoi", "-n", 2, "--memory", "tape", "--arith", "learned")
    assert "it has learned arithmetic" in refused(2, "view", "--live", learned, "-o", out)
    assert not out.exists()


@pytest.fixture(scope="module")
def tab(tmp_path_factory):
    with browser(tmp_path_factory.mktemp("browser")) as opened:
        yield opened()


@pytest.fixture
def page(coc, recorded, tmp_path, tab):
    """Opens the page of two runs of Hanoi on a stack and on a tape."""

    def show():
        runs = [recorded("a.run", "-d", "hanoi", "-n", 3, "--memory", "pda")]
        runs += [recorded("b.run", "-d", "hanoi", "-n", 2, "--memory", "tape", "--arith", "inline")]
        assert coc("view", "--live", *runs, "-o", tmp_path / "live.html").code == 0
        tab.said.clear()
        tab.asked.clear()
        tab.open((tmp_path / "live.html").as_uri())
        return tab

    yield show
    assert tab.said == []
    assert all(address.startswith("file:") and address.endswith("live.html") for address in tab.asked)


def set_value(tab, name, value, event):
    tab.run(
        f"void ({name}.value = {value!r}, {name}.dispatchEvent(new Event({event!r})))".replace(
            name, f"document.getElementById('{name}')"
        )
    )


def play(tab):
    set_value(tab, "speed", "1000000", "change")
    tab.run("document.getElementById('play').click()")
    while tab.run("document.getElementById('play').getAttribute('aria-label')") == "Pause":
        pass


@needs_browser
def test_runs_go_to_their_ends(page):
    tab = page()
    play(tab)
    assert (tab.text("outcome"), tab.text("total"), tab.text("registers")) == (
        "all 10 steps as recorded",
        "of 10",
        "halted",
    )
    set_value(tab, "choice", "1", "change")
    assert tab.text("announce") == "step 0 of 4"
    play(tab)
    assert (tab.text("outcome"), tab.text("registers")) == ("all 4 steps as recorded", "halted · NEXT_ID=4")


@needs_browser
def test_tokens_steps_and_the_way_back(page):
    tab = page()
    tab.press(".", text=".")
    assert re.fullmatch(r"PUSH␣CALL␣n=[0-9.]+", tab.text("written"))
    tab.press("ArrowRight")
    assert tab.text("target").startswith("PUSH CALL n=2 src=2 dst=3 aux=1\nPUSH MOVE d=3")
    look = "document.querySelector('main').textContent"
    seen = [tab.run("document.getElementById('windows').textContent")]
    for _ in range(2):
        tab.press("ArrowRight")
        seen.append(tab.run("document.getElementById('windows').textContent"))
    tab.run("document.querySelectorAll('#past button')[0].click()")
    assert tab.text("announce") == "step 1 of 10"
    tab.press("ArrowRight")
    assert tab.text("announce") == "step 2 of 10"
    assert "MOVE d=2" in tab.run(look)


@needs_browser
def test_what_is_broken_is_told(page):
    tab = page()
    tab.run("document.getElementById('flip').click()")
    tab.press("ArrowRight")
    assert "The recorded one is\nPUSH CALL n=2 src=2" in tab.text("fault")
    assert tab.text("outcome") in ("stopped", "differs")
    tab.press("Home")
    set_value(tab, "noise", "40", "input")
    assert tab.text("broken") == "noise of 40 % on every weight"
    play(tab)
    assert tab.text("outcome") in ("stopped", "differs")
    tab.run("document.getElementById('mend').click(); document.getElementById('home').click()")
    play(tab)
    assert tab.text("outcome") == "all 10 steps as recorded"
    tab.run("document.getElementById('zero').click()")
    assert re.fullmatch(r"number [0-9,]+ of \S+ is 0, and was -?[0-9.]+", tab.text("broken"))


@needs_browser
def test_a_hostile_recording_is_shown_and_never_run(page, monkeypatch):
    def hostile(*seen):
        found = document(*seen)
        texts = [text + HOSTILE for text in found["texts"]]
        return found | {"title": HOSTILE, "problem": HOSTILE, "facts": [(HOSTILE, HOSTILE)], "texts": texts}

    document = module.RecordedRun.document
    monkeypatch.setattr(module.RecordedRun, "document", hostile)
    tab = page()
    assert tab.text("problem") == HOSTILE
    tab.press("ArrowRight")
    assert tab.text("fault").endswith(HOSTILE)
    assert tab.run("document.images.length + document.querySelectorAll('iframe, object, embed').length") == 0
    assert tab.run("document.scripts.length") == 2
