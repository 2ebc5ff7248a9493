"""The page of a plan: its document, and what is refused."""

import base64
import hashlib
import json
import re

import pytest

import coc_core as coc
import coc_view.plan as view
from coc_certify.grammar import Grammar
from coc_certify.plan import GrammarPlan
from coc_core.errors import UsageError
from coc_hanoi.domain import Hanoi
from coc_hanoi.instructions import Tower
from coc_view.plan import render_plan, write_plan


def data(page):
    return json.loads(re.search(r'<script type="application/json" id="plan">(.*?)</script>', page)[1])


def plan(*rules, n=2):
    return GrammarPlan(Hanoi(), Tower(n), Grammar(rules))


GOOD = plan(
    ("Move disk 1 from 1 to 2", "Move disk 2 from 1 to 3"),
    (0, "Move disk 1 from 2 to 3"),
)


def test_the_document_has_the_rules_and_what_each_action_moves():
    assert data(render_plan(GOOD)) == {
        "title": "hanoi, n=2",
        "problem": "n=2 src=1 dst=3",
        "verdict": "complete",
        "illegal": None,
        "texts": ["Move disk 1 from 2 to 3", "Move disk 1 from 1 to 2", "Move disk 2 from 1 to 3"],
        "rules": [[-2, -3], [0, -1]],
        "states": {
            "drawn": True,
            "posts": True,
            "items": [["2", 1.0], ["1", 0.625]],
            "places": ["1", "2", "3"],
            "start": [[0, 0], [1, 0]],
            "effects": [[[1, 2]], [[1, 1]], [[0, 2]]],
        },
    }


def test_a_plan_of_64_disks_is_a_small_page():
    page = render_plan(coc.plan("hanoi", 64, model="reference"))
    assert len(page) < 50_000
    assert len(data(page)["rules"]) == 186


def test_an_illegal_plan_says_where():
    found = data(render_plan(plan(("Move disk 1 from 1 to 2", "Move disk 2 from 1 to 2"))))
    assert (found["verdict"], found["illegal"]) == ("illegal", "1")
    assert found["states"]["effects"] == [[[1, 1]], []]


def test_a_page_allows_its_own_script_and_nothing_else():
    page = render_plan(GOOD)
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert "default-src 'none'; style-src 'sha256-" in page
    assert f"script-src 'sha256-{digest}'" in page
    markup = re.sub(r"<(script|style)\b.*?</\1>", "", page, flags=re.DOTALL)
    assert not re.search(r' (src|href|action|on[a-z]+)="', markup)
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|Function\(|fetch\(|import", script
    )
    assert "http" not in script.replace("http://www.w3.org/2000/svg", "")


def test_every_control_has_a_name():
    text = render_plan(GOOD)
    assert all("aria-label=" in button for button in re.findall(r"<button[^>]*>", text))
    assert 'aria-live="polite"' in text
    assert set(re.findall(r'\$\("([a-z-]+)"\)', text)) <= set(re.findall(r'id="([a-z-]+)"', text))


def test_too_many_rules_and_the_plan_itself_are_refused(tmp_path, monkeypatch):
    with pytest.raises(UsageError, match="-o and PLAN name the same file"):
        write_plan(GOOD, tmp_path / "plan", tmp_path / "plan")
    monkeypatch.setattr(view, "MOST_ITEMS", 3)
    with pytest.raises(UsageError, match="more than 3 actions and rules, too many for a page; look at it with"):
        write_plan(GOOD, tmp_path / "plan", tmp_path / "page")
    assert not list(tmp_path.iterdir())
