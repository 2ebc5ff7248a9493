import base64
import hashlib
import json
import re
from html.parser import HTMLParser

from coc_core.memories import Layout
from coc_view.page import build_timeline, render_page
from tests.support.for_each import for_each
from tests.support.saved_runs import moments

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "]]>&lt;&amp;",
    '"><img src=x onerror=alert(1)>',
    "\u202eright\u2066to\u2069left\u200f",
    "\x1b[31m\x00\x07\x85\u2028\u2029\ufeff",
    "\ud800",
    "$data ${script} %s {0}",
]


def document(**changes):
    domain, seen = moments(n=3)
    about = {"title": "hanoi", "problem": "n=3", "outcome": "solved", "steps": 10}
    about |= {"memory": {"name": "pda", "newest_first": True, "registers": []}}
    about |= {"facts": [("model", "reference")], "fault": None}
    return {**about, **build_timeline(domain, Layout(), seen), **changes}


class Parts(HTMLParser):
    """The scripts, styles, policies and outside addresses of a page."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.scripts, self.styles, self.metas, self.asked, self.tags, self._into = [], [], {}, [], [], None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.append(tag)
        self.asked += [given[name] for name in ("src", "href", "action", "srcset", "data", "style") if name in given]
        assert not [name for name in given if name.startswith("on")]
        if tag == "meta":
            self.metas[given.get("http-equiv") or given.get("name") or "charset"] = given.get("content")
        if tag == "script":
            self._into = self.scripts
            self._into.append([given.get("type"), ""])
        if tag == "style":
            self._into = self.styles
            self._into.append([None, ""])

    def handle_endtag(self, tag):
        if tag in ("script", "style"):
            self._into = None

    def handle_data(self, data):
        if self._into is not None:
            self._into[-1][1] += data


def digest(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def test_a_page_allows_its_own_script_and_style_and_nothing_else():
    parts = Parts(render_page(document()))
    (_, data), (_, script) = parts.scripts
    ((_, style),) = parts.styles
    rules = dict(rule.split(" ", 1) for rule in parts.metas["Content-Security-Policy"].split("; "))
    assert rules == {
        "default-src": "'none'",
        "script-src": digest(script),
        "style-src": digest(style),
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    assert parts.asked == []
    assert json.loads(data) == json.loads(json.dumps(document()))


@for_each("text", HOSTILE)
def test_no_text_becomes_markup_or_code(text):
    clean = Parts(render_page(document()))
    fault = {"step": 11, "kind": "protocol", "message": text, "text": text}
    bad = document(title=text, problem=text, facts=[(text, text)], fault=fault, texts=[text] * 99)
    parts = Parts(render_page(bad))
    assert parts.tags == clean.tags
    assert parts.styles == clean.styles
    assert parts.scripts[1] == clean.scripts[1]
    assert json.loads(parts.scripts[0][1])["fault"]["text"] == text
    assert parts.metas == clean.metas


def test_the_script_never_makes_markup_of_a_text():
    script = Parts(render_page(document())).scripts[1][1]
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|Function\(|setTimeout|fetch\(|import", script
    )
    assert "http" not in script.replace("http://www.w3.org/2000/svg", "")


def test_every_control_has_a_name():
    text = render_page(document())
    for button in re.findall(r"<button[^>]*>.*?</button>", text, re.DOTALL):
        assert "aria-label=" in button or re.search(r">[A-Za-z ]+</button>", button), button
    assert 'aria-live="polite"' in text
    assert ":focus-visible" in text
    assert "prefers-reduced-motion" in text
    assert "prefers-color-scheme: dark" in text
    assert set(re.findall(r'\$\("([a-z-]+)"\)', text)) <= set(re.findall(r'id="([a-z-]+)"', text))
