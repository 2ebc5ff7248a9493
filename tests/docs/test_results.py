"""The commands of the results pages take hours, so they are not run; but each of them can be pasted as it stands."""

import re
from pathlib import Path

import pytest
from attrs import fields
from typer.main import get_command

from coc_core.cli.app import app
from coc_transformer.training.hyperparameters import Hyperparameters
from tests.support.doc_pages import blocks

ROOT = Path(__file__).parents[2]
PAGES = sorted(ROOT.glob("docs/results/*.md"))
COMMANDS = get_command(app)
ENVIRONMENT = {"CI", "COC_DAMAGES", "OMP_NUM_THREADS"}
HYPERPARAMETERS = {each.name for each in fields(Hyperparameters)}
SCRIPTS = [page.read_text("utf-8") for page in ROOT.glob("docs/results/*.sh")]
SHELL = [
    text.replace("\\\n", " ") for text in [*SCRIPTS, *(block.text for page in PAGES for block in blocks(page, "sh"))]
]


def test_no_command_has_a_blank_to_fill_in():
    for text in SHELL:
        assert set(re.findall(r"(?<![\w-])[A-Z][A-Z_]+\b", text)) <= ENVIRONMENT, text


def test_every_option_is_one_of_its_command():
    found = 0
    for line in "\n".join(SHELL).splitlines():
        for name, rest in re.findall(r"\bcoc (\w+)((?: [^|;&]*)?)", line):
            command = COMMANDS.get_command(None, name)
            if hasattr(command, "get_command"):  # a group, such as `coc data`
                command = command.get_command(None, rest.split()[0])
            options = {option for each in command.params for option in each.opts}
            assert set(re.findall(r"(?<!\S)--?[a-z][a-z-]*", rest)) <= options, line
            found += 1
    assert found > 30


def test_every_hyperparameter_is_one_of_the_transformer():
    named = {name for text in SHELL for name in re.findall(r"--set (\w+)=", text)}
    assert "score_noise" in named
    assert named <= HYPERPARAMETERS


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_asks_before_it_measures_and_says_what_it_means(page):
    text = page.read_text("utf-8")
    assert text.count("**Question.**") == text.count("**Setting.**") == text.count("**Meaning.**") > 0
    order = re.findall(r"\*\*(Question|Setting|Meaning)\.\*\*", text)
    assert order == ["Question", "Setting", "Meaning"] * (len(order) // 3)
