"""Every block of code in the documentation is run, page by page, or says why not.

The README and the two tutorials are run by test_docs, which expects more of them. Left out are docs/results, whose
commands take hours, docs/reference/cli.md, which is generated, and CHANGELOG.md and CONTRIBUTING.md.
"""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.support.doc_pages import RUN, blocks, installs, run_page, shell, stable
from tests.support.for_each import for_each

ROOT = Path(__file__).parents[2]
PAGES = [
    *sorted(ROOT.glob("docs/how-to/*.md")),
    *sorted(ROOT.glob("docs/explanation/*.md")),
    *(page for page in sorted(ROOT.glob("docs/reference/*.md")) if page.name != "cli.md"),
    ROOT / "docs/from-python.md",
    ROOT / "examples/README.md",
]
ELSEWHERE = [ROOT / "README.md", *sorted(ROOT.glob("docs/tutorial*.md"))]
READ = ("toml", "{eval-rst}")  # languages of blocks that nothing can run
REMARK = re.compile(
    r"not run: \S+( \S+)*|exits \d+(,? (or )?\d+)*|the (install|test) command|tried: .+"
)  # .ci/run looks for these


def named(page):
    return str(page.relative_to(ROOT))


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", [page for page in PAGES if any(b.reason is None for b in blocks(page, *RUN))], ids=named
)
def test_the_blocks_of_a_page_do_what_it_says(page, tmp_path):
    run_page(page, tmp_path)


@for_each("page", PAGES + ELSEWHERE)
def test_what_is_not_run_says_why(page):
    for block in blocks(page):
        assert block.language in RUN + READ, f"neither run nor known as something to read:\n{block.text}"
        for comment in block.comments:
            assert REMARK.fullmatch(comment), f"<!-- {comment} --> means nothing before a block"
    # All that looks like a block is one, and no commands stand outside of blocks.
    assert page.read_text("utf-8").count("```") == 2 * len(blocks(page))
    assert not re.search(r"^(    |\t)(coc|pip|python3?|pytest) ", page.read_text("utf-8"), re.MULTILINE)


@for_each("page", [page for page in ELSEWHERE if page.parent.name == "docs"])
def test_what_prose_tells_readers_to_break_is_tried(page):
    """An edit in prose stands above the text that it makes coc print, with the edit as a command."""
    for paragraph, after in pairwise(page.read_text("utf-8").split("\n\n")):
        if re.search(r"\b(remove|delete|breaks?) (the|this|a)\b", paragraph):
            assert re.match(r"<!-- tried: .* -->\n```text", after), paragraph


NEEDS = {
    r"coc (train|certify(?!.*--no-bounds))|coc\.(train|certify)\(": "train",
    r"--plot\b|coc reproduce": "plots",
    r"\bopenai:": "llm",
    r"\bhf:": "transformers",
    r"coc serve": "serve",
    r"coc\.gym|import gymnasium": "gym",
    r"\bhub:": "hub",
}
"""What needs an extra; test_readme tries these without any."""


def test_a_page_names_each_extra_that_its_blocks_need():
    """Also blocks that are not run need it; without an extra, what they begin would end with an error."""
    missing = []
    for page in sorted({*PAGES, *ELSEWHERE, *ROOT.glob("docs/results/*.md"), *ROOT.glob("examples/**/*.md")}):
        text = "\n".join(block.text for block in blocks(page))
        named = {extra for each in installs(page) for extra in Requirement(each).extras}
        missing += [
            (str(page.relative_to(ROOT)), extra)
            for found, extra in NEEDS.items()
            if re.search(found, text) and extra not in named
        ]
    assert missing == []


@for_each("page", ["own-llm.md", "integrations.md"])
def test_a_wait_for_a_server_ends_with_it(page, tmp_path):
    (waiting,) = (block.text for block in blocks(ROOT / "docs/how-to" / page, "sh") if "until " in block.text)
    done = shell(re.sub("coc serve [^>]*", "sh -c 'echo no port; exit 2' ", waiting), tmp_path)
    assert done.stdout == "no port\n"


def page_of(folder, text):
    page = folder / "page.md"
    page.write_text(text, "utf-8")
    return page


def test_blocks_share_a_folder_and_what_was_printed(tmp_path):
    page = page_of(
        tmp_path,
        "```sh\nmkdir there\ncd there\n```\n\n```python\n# one.py\nONE = 1\n```\n\n"
        "```python\nfrom one import ONE\nprint(f'{ONE} in 2.5 s')\n```\n\n```text\n1 in 0.1 s\n```\n",
    )
    assert run_page(page, tmp_path) == "1 in 2.5 s\n"
    assert (tmp_path / "work/there/one.py").exists()


@pytest.mark.parametrize(
    "text",
    [
        "```sh\nfalse\ntrue\n```\n",
        "<!-- exits 4 or 5 -->\n```sh\nexit 1\n```\n",
        "```python\nimport os\nos.kill(os.getpid(), 9)\n```\n",
        "```python\ndef test_it():\n    assert False\n```\n",
        "```sh\npython -c 'import nothing_of_the_kind' || true\n```\n",
        "<!-- tried: echo no -->\n```text\nyes\n```\n",
        "With the extra `plots`:\n```sh\npython -m torch\n```\n",
        "```sh\npytest --version\n```\n",
    ],
    ids=[
        *("first fails", "other code", "killed", "test", "traceback", "not so", "other extra", "not installed"),
    ],
)
def test_a_page_that_is_wrong_is_found(text, tmp_path):
    with pytest.raises(AssertionError):
        run_page(page_of(tmp_path, text), tmp_path)


def test_what_a_page_says_of_a_block_holds(tmp_path):
    page = page_of(
        tmp_path,
        "<!-- not run: a drawing -->\n```text\n──►\n```\n\n<!-- exits 0 or 4 -->\n```sh\nexit 4\n```\n\n"
        "<!-- not run: takes hours -->\n```sh\nfalse\n```\n",
    )
    assert [block.reason for block in blocks(page)] == ["a drawing", None, "takes hours"]
    assert run_page(page, tmp_path) == ""


def test_times_do_not_count():
    assert stable("39 steps; 0.26 s, 1,483 steps/s \n") == stable("39 steps; 17 s, 2 steps/s")
    assert stable("39 steps") != stable("40 steps")
