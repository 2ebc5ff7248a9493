"""Pages of the documentation: their blocks of code, run in order in one folder as a reader would run them.

A comment on the lines before a fence says what is not plain: `<!-- not run: REASON -->` of a block that is left out,
`<!-- exits 4 -->` of commands that end with that code, or with one of several, and `<!-- tried: COMMANDS -->` what to run
first, because the page tells its reader in prose to do that. All else is run: `sh` by bash, `python`
by Python, or by pytest if it has tests. A `python` block that begins with `# a/name.py` is written to that file first,
and is a part of something else unless it has tests. A `text` block has to be among what was printed so far.

A page is run with what it has its readers install, and nothing else that this environment has.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from attrs import frozen

from tests.support import hidden_modules
from tests.support.importable_packages import make_known
from tests.support.plain_install import OURS, hidden_after

RUN = ("sh", "python", "text")
"""The languages of blocks that are tried; a block in another one is there to be read."""

_BLOCK = re.compile(r"((?:^<!--[^\n]*-->\n)*)^```(\S*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_FILE = re.compile(r"# (\S+\.py)\n")
_UNSTABLE = re.compile(r"(\d+ min )?\d[\d.,]* m?s\b|\d[\d.,]*(?= steps/s)")  # times, and what is divided by them


@frozen
class Block:
    """A fenced block: its language, its text, and the comments on the lines before it."""

    language: str
    text: str
    comments: tuple[str, ...] = ()

    @property
    def reason(self):
        """Why it is not run, None if it is."""
        return next((text[9:] for text in self.comments if text.startswith("not run: ")), None)

    @property
    def exits(self):
        """The codes with which its commands may end."""
        codes = [re.findall(r"\d+", text) for text in self.comments if text.startswith("exits ")]
        return {int(code) for found in codes for code in found} or {0}


def blocks(page: Path, *languages: str) -> list[Block]:
    """The blocks of a page, in order; those in one of the `languages`, if any are named."""
    found = [
        Block(language, text, tuple(re.findall(r"<!-- (.*?) -->", comments)))
        for comments, language, text in _BLOCK.findall(page.read_text("utf-8"))
    ]
    return [block for block in found if not languages or block.language in languages]


def stable(text: str) -> str:
    """A text without blanks at the ends of lines and without times."""
    return _UNSTABLE.sub("#", "\n".join(map(str.rstrip, text.splitlines()))).strip()


def installs(page: Path) -> tuple[str, ...]:
    """The requirements that a page has its readers install, with those of the page whose environment it works in."""
    text = page.read_text("utf-8").replace("\\\n", " ")
    found = [
        each
        for base in re.findall(r"environment\s+of\s+\S+\s+\[[^]]*\]\((\S+)\)", text)
        for each in installs(page.parent / base)
    ]
    for names in re.findall(r"\bextras?((?:(?:,|\s+and)?\s+`\w+`)+)", text):
        found += [f"{OURS}[{extra}]" for extra in re.findall(r"\w+(?=`)", names)]
    for line in re.findall(r"pip install ([^\n`&]*)", text):
        for word in shlex.split(re.sub(r"-c \S+", "", line)):
            place, _, extras = word.strip("]").partition("[")
            if "test" in extras:  # of a package that `coc new` made
                found += ["mypy", "pytest", "ruff"]
            elif place == "." and extras:
                found.append(f"{OURS}[{extras}]")
            elif not re.search(r"^[.-]|/", place):
                found.append(word)
    return tuple(dict.fromkeys(found))


def shell(
    command: str, folder: Path, commands: Path | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """A command run by bash in a folder; the first that fails ends it.

    Args:
        command: What bash reads.
        folder: Where it runs.
        commands: A folder with the commands `coc`, `python` and `pytest`; by default those of this environment.
        variables: More of the environment.
    """
    path = os.pathsep.join([str(commands or Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "COLUMNS": "100", "PYTHONUTF8": "1", **variables}
    environment.pop("PYTEST_ADDOPTS", None)
    return subprocess.run(["bash", "-ec", command], cwd=folder, env=environment, capture_output=True, encoding="utf-8")


def run_page(page: Path, folder: Path, commands: Path | None = None) -> str:
    """What the blocks of a page print. AssertionError at the first that does not do what the page says.

    They are run in `folder`/work. Each package that is made there is as if it were installed. With `commands`, the
    environment is the one that these commands belong to; otherwise this one, without what the page does not install.
    """
    place = _Place(folder, commands, frozenset() if commands else hidden_after(*installs(page)))
    for block in blocks(page, *RUN):
        if block.reason is None:
            place.run(block)
    return place.printed


class _Place:
    """The folder in which a page's blocks are run, where the last one left off, and what was printed."""

    def __init__(self, folder: Path, commands: Path | None, hidden: frozenset[str]) -> None:
        self.printed = ""
        self._commands, self._hidden = commands, " ".join(sorted(hidden))
        self._work, self._site, self._left = folder / "work", folder / "site", folder / "left"
        self._work.mkdir()
        self._site.mkdir()
        shutil.copy(hidden_modules.__file__, self._site / "sitecustomize.py")
        self._here = self._work
        self._packages: list[Path] = []

    def run(self, block: Block) -> None:
        for text in block.comments:
            if text.startswith("tried: "):
                self._shell(text[7:], Block("sh", text[7:]))
        if block.language == "sh":
            self._shell(block.text, block)
        elif block.language == "text":
            assert stable(block.text) in stable(self.printed), f"nothing printed this:\n{block.text}\n{self.printed}"
        else:
            self._python(block)

    def _python(self, block: Block) -> None:
        named, tests = _FILE.match(block.text), re.search(r"^def test_", block.text, re.MULTILINE)
        file = self._here / (named[1] if named else "test_page.py" if tests else "page.py")
        file.write_text(block.text, "utf-8")
        if tests or not named:
            self._shell(f"{'pytest -q' if tests else 'python'} {file.name}", block)

    def _shell(self, command: str, block: Block) -> None:
        for project in sorted(self._work.glob("*/pyproject.toml")):
            if project.parent not in self._packages:
                make_known(project.parent, self._site)
                self._packages.append(project.parent)
        known = os.pathsep.join(map(str, (self._site, *(package / "src" for package in self._packages))))
        command = f"trap 'pwd > {self._left}' EXIT\n{command}"
        done = shell(command, self._here, self._commands, PYTHONPATH=known, HIDDEN_MODULES=self._hidden)
        told = f"{block.text}\nended with {done.returncode}\n{done.stdout}{done.stderr}"
        assert done.returncode in block.exits, told
        assert "Traceback" not in done.stderr, told
        self._here = Path(self._left.read_text("utf-8").strip())
        self.printed += done.stdout + done.stderr
