"""The page on which a checkpoint runs: what it holds, what is refused, and that it works in a browser."""

import json
import re

import pytest

from coc_view.live import document as module
from tests.support.headless_browser import PROGRAM, browser
from tests.support.saved_runs import saved

CODE = "globalThis.ran=1"
HOSTILE = [
    f"</script><script>{CODE}</script>",
    f"<script src='data:text/javascript,{CODE}'></script>",
    f"<img src=x onerror={CODE}>\u202e",
    f"<svg onload={CODE}><animate onbegin={CODE}>",
    f"<svg><a href='javascript:{CODE}'><set attributeName=href to='javascript:{CODE}'>",
    f"<body onload={CODE}>",
    "<iframe srcdoc='<script>top.ran=1</script>'></iframe>",
    f"<iframe src='javascript:parent.{CODE}'>",
    f"<object data='data:text/html,<script>{CODE}</script>'>",
    f"<embed src='javascript:{CODE}'>",
    f"<a href='javascript:{CODE}' autofocus onfocus={CODE}>",
    f"javascript:{CODE}",
    f"<meta http-equiv=refresh content='0;javascript:{CODE}'>",
    "<meta http-equiv=Content-Security-Policy content='script-src *'>",
    "<base href='https://example.org/'>",
    "<link rel=stylesheet href='https://example.org/a.css'><style>@import 'https://example.org/b.css';</style>",
    "<form action='https://example.org/'><input autofocus formaction='javascript:globalThis.ran=1'>",
    f"<details open ontoggle={CODE}><video><source onerror={CODE}>",
    f"<math><mtext><table><mglyph><style><img src onerror={CODE}>",
    f"<!--<script>--><script>{CODE}</script>",
    f"]]></style></title></textarea><script>{CODE}</script>",
    f"\"'`;{CODE};//${{{CODE}}}",
    f"\\u003cscript\\u003e{CODE}\\u003c/script\\u003e&lt;script&gt;",
    "__proto__ constructor $script $data ${style} {{7*7}} %s",
    f"\u2028{CODE}\u2029\x00\x1b[2J\ufeff",
]
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


def poisoned(value, text):
    """What a recorded run or a checkpoint says, with a text at the end of each text in it, and of each name of a token."""
    match value:
        case str():
            return value + text
        case list() | tuple():
            return [poisoned(each, text) for each in value]
        case dict():
            kept = ("outcome", "columns", "surface", "grammar", "weights", "dialects", "type", "Regex")
            return {
                name + text if name.startswith("PUSH") else name: each if name in kept else poisoned(each, text)
                for name, each in value.items()
            }
    return value


@needs_browser
@pytest.mark.parametrize("texts", [["".join(HOSTILE)], pytest.param(HOSTILE, marks=pytest.mark.slow)])
def test_no_hostile_recording_or_checkpoint_runs_a_script(coc, tab, recorded, monkeypatch, tmp_path, texts):
    """All texts, or each, in all places of a recording's page and of one on which a checkpoint runs: fifty pages."""
    run = recorded("hostile.run", "-d", "hanoi", "-n", 2, "--memory", "pda")
    look = """[
        globalThis.ran, document.scripts.length, document.styleSheets.length, document.querySelectorAll("meta").length,
        document.querySelectorAll("img, iframe, object, embed, link, base, a, video, math, [href], [src]").length,
        [...document.querySelectorAll("*")].filter((each) => [...each.attributes].some(({ name }) => name.startsWith("on"))).length,
    ]"""
    whole, checkpoint = module.RecordedRun.document, module.read_checkpoint
    tab.said.clear()
    for number, text in enumerate(texts):
        with monkeypatch.context() as patch:
            patch.setattr(module.RecordedRun, "document", lambda *seen, text=text: poisoned(whole(*seen), text))
            patch.setattr(module, "read_checkpoint", lambda folder, text=text: poisoned(checkpoint(folder), text))
            for options in ([], ["--live"]):
                out = tmp_path / f"{number}-{len(options)}-live.html"
                assert coc("view", run, *options, "-o", out).code == 0
                tab.open(out.as_uri())
                for key in (".", "ArrowRight"):
                    tab.press(key, text=key if key == "." else "")
                assert text in tab.text("problem")
                assert tab.run(look) == [None, 2, 1, 5, 0, 0], (text, options)
    assert tab.said == []
