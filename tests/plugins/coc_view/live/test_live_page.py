"""The page on which a checkpoint runs: what it holds, what is refused, and that it works in a browser."""

import re

import pytest

from coc_view.live import document as module
from tests.support.headless_browser import PROGRAM, browser
from tests.support.saved_runs import saved

BEFORE = ["", "</script>", "<!--<script>-->", "\"'`>${", "]]></style></title></textarea>\u2028\u202e\x00"]
TAGS = """<script>CODE</script>
<script src="data:text/javascript,CODE"></script><link rel=stylesheet href="https://example.org/a.css">
<img src=x onerror=CODE><video><source onerror=CODE></video>
<svg onload=CODE><animate onbegin=CODE><a href="javascript:CODE"><set attributeName=href to="javascript:CODE">
<iframe srcdoc="<script>top.CODE</script>"></iframe><iframe src="javascript:parent.CODE"></iframe>
<object data="data:text/html,<script>CODE</script>"></object><embed src="javascript:CODE">
<body onload=CODE><a href="javascript:CODE" autofocus onfocus=CODE><details open ontoggle=CODE>
<meta http-equiv=refresh content="0;javascript:CODE"><meta http-equiv=Content-Security-Policy content="script-src *">
<base href="https://example.org/"><form action="https://example.org/"><input autofocus formaction="javascript:CODE">
javascript:CODE;//\\u003cscript\\u003eCODE&lt;script&gt;__proto__ $script $data ${style} {{7*7}} %s"""
HOSTILE = [before + tag.replace("CODE", "globalThis.ran=1") for before in BEFORE for tag in TAGS.split("\n")]
needs_browser = pytest.mark.skipif(PROGRAM is None, reason="there is no browser here")


@pytest.fixture
def recorded(coc, tmp_path):
    """Records a run of a shipped checkpoint."""

    def record(name, *options):
        assert coc("run", *options, "--save", tmp_path / name).code == 0
        return tmp_path / name

    return record


def test_six_recordings_and_two_checkpoints_fit(coc, recorded, tmp_path):
    kinds = [("hanoi", "pda"), ("blocks", "heap")]
    runs = [recorded(f"{d}{n}.run", "-d", d, "-n", n, "--memory", memory) for d, memory in kinds for n in (2, 3, 4)]
    out = tmp_path / "live.html"
    done = coc("view", "--live", *runs, "-o", out)
    assert done.out == f"{out}: 6 runs, {out.stat().st_size:,} bytes\n"
    assert out.stat().st_size <= 1_600_000


def test_what_a_page_does_not_run_is_refused(refused, recorded, tmp_path):
    out, reference = tmp_path / "live.html", saved(tmp_path / "reference.run")
    rows = [
        ("no checkpoint here is its reference; leave out --live", reference),
        ("--live shows whole runs", reference, "--to", 3),
        ("can't check the values of 'Move {disk} from {src} to {dst}.'", recorded("b.run", "-d", "hanoi-any", "-n", 2)),
        ("learned arithmetic", recorded("c.run", "-d", "hanoi", "-n", 2, "--memory", "tape", "--arith", "learned")),
    ]
    for words, *options in rows:
        assert words in refused(2, "view", "--live", *options, "-o", out)
    assert "shows one run" in refused(2, "view", reference, reference, "-o", out)
    assert "same file" in refused(2, "view", "--live", reference, "-o", reference)
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
    change = f"{{ each.value = {value!r}; each.dispatchEvent(new Event({event!r})); }}"
    tab.run(f"((each) => {change})(document.getElementById({name!r}))")


def play(tab):
    set_value(tab, "speed", "1000000", "change")
    tab.run("document.getElementById('play').click()")
    while tab.run("document.getElementById('play').getAttribute('aria-label')") == "Pause":
        pass


@needs_browser
def test_runs_go_to_their_ends(page):
    tab = page()
    play(tab)
    assert (tab.text("outcome"), tab.text("registers")) == ("all 10 steps as recorded", "halted")
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
    tab.press("ArrowRight")
    tab.run("document.querySelectorAll('#past button')[0].click()")
    assert tab.text("announce") == "step 1 of 10"
    tab.press("ArrowRight")
    assert tab.text("announce") == "step 2 of 10"
    assert "MOVE d=2" in tab.text("windows")


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
@pytest.mark.parametrize("texts", [["".join(HOSTILE)] * 2, pytest.param(HOSTILE, marks=pytest.mark.slow)])
def test_no_hostile_recording_or_checkpoint_runs_a_script(coc, tab, recorded, monkeypatch, tmp_path, texts):
    """All texts, or each, in all places of a recording's page, or of one on which a checkpoint runs: fifty pages."""
    run = recorded("hostile.run", "-d", "hanoi", "-n", 2, "--memory", "pda")
    look = """[
        globalThis.ran, document.scripts.length, document.styleSheets.length, document.querySelectorAll("meta").length,
        document.querySelectorAll("img, iframe, object, embed, link, base, a, video, [href], [src]").length,
        [...document.querySelectorAll("*")].flatMap((each) => each.getAttributeNames()).filter((name) => /^on/.test(name)),
    ]"""
    whole, checkpoint = module.RecordedRun.document, module.read_checkpoint
    tab.said.clear()
    for number, text in enumerate(texts):
        monkeypatch.setattr(module.RecordedRun, "document", lambda *seen, text=text: poisoned(whole(*seen), text))
        monkeypatch.setattr(module, "read_checkpoint", lambda folder, text=text: poisoned(checkpoint(folder), text))
        out = tmp_path / f"{number}.html"
        assert coc("view", run, *["--live"][number % 2 :], "-o", out).code == 0
        tab.open(out.as_uri())
        tab.press(".", text=".")
        tab.press("ArrowRight")
        assert text in tab.text("problem")
        assert tab.run(look) == [None, 2, 1, 5, 0, []], text
    assert tab.said == []
