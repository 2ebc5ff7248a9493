import json
import re

import pytest

from coc_view import page as pages
from tests.support.headless_browser import PROGRAM, browser
from tests.support.saved_runs import saved

HOSTILE = "OUTPUT </script><img src=x onerror=alert(1)>\u202e\x1b[31m"


@pytest.fixture
def run(tmp_path):
    return lambda name="a.run", **options: saved(tmp_path / name, **options)


def data(path):
    found = re.search(r'<script type="application/json" id="run">(.*?)</script>', path.read_text("utf-8"))
    return json.loads(found[1])


def test_a_page_is_written(coc, run, tmp_path):
    out = tmp_path / "run.html"
    done = coc("view", run(), "-o", out)
    assert done.code == 0
    assert done.out == f"{out}: steps 0 to 10 of {tmp_path / 'a.run'}, {out.stat().st_size:,} bytes\n"
    shown = data(out)
    assert len(shown["rows"]) == 11
    assert (shown["outcome"], shown["steps"], shown["fault"]) == ("solved", 10, None)
    assert shown["memory"] == {"name": "pda", "newest_first": True, "registers": []}
    assert ["domain", "hanoi"] in shown["facts"]
    assert ["model name", "reference"] in shown["facts"]


def test_a_part_of_a_run(coc, run, tmp_path):
    out = tmp_path / "run.html"
    assert coc("view", run(), "-o", out, "--from", 4, "--to", 6).code == 0
    shown = data(out)
    assert (shown["first_step"], len(shown["rows"]), shown["steps"]) == (4, 3, 10)
    assert coc("view", run("b.run"), "-o", out, "--from", 4, "--to", 4).out.startswith(f"{out}: step 4 of ")


def test_a_page_has_a_largest_number_of_steps(refused, run, tmp_path, monkeypatch):
    path, out = run(), tmp_path / "run.html"
    monkeypatch.setattr(pages, "MOST_STEPS", 9)
    assert "10 steps are too many for a page, the most is 9; show fewer steps with --from and --to" in refused(
        2, "view", path, "-o", out
    )
    assert not out.exists()


def test_the_run_itself_is_never_overwritten(refused, run, tmp_path):
    path = run()
    before = path.read_bytes()
    (tmp_path / "link").symlink_to(path)
    assert "-o and RUN name the same file" in refused(2, "view", path, "-o", tmp_path / "link")
    assert path.read_bytes() == before


# ---- in a browser

needs_browser = pytest.mark.skipif(PROGRAM is None, reason="there is no browser here")


@pytest.fixture(scope="module")
def tab(tmp_path_factory):
    with browser(tmp_path_factory.mktemp("browser")) as opened:
        yield opened()


@pytest.fixture
def page(coc, tmp_path, tab):
    """Opens the page of a run that is made as `saved` makes it."""

    def show(place="", **options):
        out = tmp_path / "run.html"
        assert coc("view", saved(tmp_path / "a.run", **options), "-o", out).code == 0
        tab.said.clear()
        tab.asked.clear()
        tab.open(f"{out.as_uri()}{place}")
        return tab

    yield show
    assert tab.said == []
    assert all(address.startswith("file:") and address.split("#")[0].endswith("run.html") for address in tab.asked)


def items(tab):
    """How many shapes there are, and how many of them are seen."""
    return tab.run("[...document.querySelectorAll('.item')].filter((item) => item.style.display !== 'none').length")


def windows(tab):
    return tab.run("[...document.querySelectorAll('#windows .text')].map((window) => window.textContent)")


@pytest.mark.slow
@needs_browser
@pytest.mark.parametrize("domain", ["hanoi", "blocksworld", "blocksworld-extended", "pancake"])
@pytest.mark.parametrize("memory", ["pda", "tape"])
def test_the_page_shows_what_happened(page, coc, tmp_path, domain, memory):
    tab = page("#step=1", domain=domain, memory=memory, n=4, seed=1)
    found = json.loads(coc("replay", tmp_path / "a.run", "--step", 1, "--json").out)
    assert tab.text("step-title") == "Step 1"
    assert tab.text("prompt") == found["prompt"]
    assert tab.text("target") == found["target"]
    assert windows(tab) == found["windows"]
    assert items(tab) == 4


@needs_browser
def test_the_keys_move_about(page):
    tab = page(n=7)
    places = []
    for key in [
        "ArrowRight",
        "n",
        "ArrowLeft",
        "PageDown",
        "Shift+PageDown",
        "PageUp",
        "End",
        "ArrowRight",
        "Home",
        "p",
    ]:
        tab.press(key.removeprefix("Shift+"), shift=key.startswith("Shift+"))
        places.append(tab.run("Number(document.getElementById('scrub').value)"))
    assert places == [2, 3, 2, 12, 112, 102, 190, 190, 0, 0]
    for key in ("g", "4", "2"):
        tab.press(key, text=key)
    tab.press("Enter", text="\r")
    assert tab.text("step-title") == "Step 42"
    assert tab.run("location.hash") == "#step=42"
    assert tab.text("announce") == "step 42 of 190"


@needs_browser
def test_going_back_is_the_same_as_going_on(page):
    tab = page(n=8, memory="tape", arith="inline")
    look = "document.getElementById('stage').getAttribute('aria-label') + document.getElementById('windows').textContent + document.getElementById('target').textContent"
    seen = {}
    for step in (0, 3, 255, 256, 257, 300, 382, 300, 257, 256, 255, 3, 0):
        tab.run(f"void (location.hash = '#step={step}')")
        while tab.run("Number(document.getElementById('scrub').value)") != step:
            pass
        assert seen.setdefault(step, tab.run(look)) == tab.run(look)
    assert len(set(seen.values())) == len(seen)


@needs_browser
def test_it_plays_to_the_end_and_stops(page):
    tab = page(n=3)
    tab.run("document.getElementById('speed').value = '300'; document.getElementById('play').click()")
    assert tab.run("document.getElementById('play').getAttribute('aria-label')") == "Pause"
    while tab.run("document.getElementById('play').getAttribute('aria-label')") == "Pause":
        pass
    assert tab.text("step-title") == "Step 10"
    assert tab.text("registers") == "halted"
    assert tab.run("document.getElementById('next').disabled")


@needs_browser
def test_a_hostile_text_is_shown_and_never_run(page):
    tab = page("#step=5", at=5, text=HOSTILE)
    assert tab.text("target") == "OUTPUT </script><img src=x onerror=alert(1)>\\u202e\\x1b[31m"
    assert tab.text("fault-kind") == "protocol fault at step 5"
    assert tab.text("prompt") == "CALL n=1 src=3 dst=2 aux=1"
    assert tab.run("document.images.length + document.querySelectorAll('iframe, object, embed, link').length") == 0
    tab.press("ArrowLeft")
    assert tab.run("document.getElementById('fault').hidden")


@pytest.mark.slow
@needs_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_it_fits_every_screen_and_light(page, scheme, width):
    tab = page("#step=3", n=5, memory="tape", arith="inline")
    tab.tell("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=False)
    tab.tell("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    assert tab.run("document.documentElement.scrollWidth <= innerWidth")
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = tab.run(ground) == "rgb(21, 23, 28)"
    assert dark == (scheme == "dark")
    tab.press("t", text="t")
    assert (tab.run(ground) == "rgb(21, 23, 28)") != dark
