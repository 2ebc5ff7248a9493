"""The documentation is run, not believed."""

import re
import sys
import tomllib
from importlib import import_module, util
from pathlib import Path

import pytest

from coc_core.errors import FAULT_KINDS, CocError
from coc_core.execution import Cached
from coc_core.memories import Reference
from coc_core.plugin import ArithmeticSpec, MemorySpec, Plugin, Registry
from coc_core.plugin.hookspecs import HOOKS
from coc_core.setting import Setting
from tests.support.doc_pages import blocks, run_page, shell
from tests.support.for_each import for_each

ROOT = Path(__file__).parents[2]
NETWORKS = {ROOT / "examples" / name for name in ("gru.py", "scan.py", "llama.py")}
CHECKERS = {ROOT / "examples" / f"check_{kind}certificate.py" for kind in ("", "heap_", "program_")}
"""They need a certificate, and have tests of their own."""

DOCS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")])
INTERFACES = [
    "arithmetic.oracle",
    "domain.base",
    "errors",
    "execution.executor",
    "memories.convention",
    "memories.memory",
    "models.base",
    "plugin.hookspecs",
    "types",
]


def run_and_count(name: str, folder: Path) -> str:
    """What a page prints, which has the numbers that its prose says are counted."""
    page = ROOT / "docs" / name
    printed, prose = run_page(page, folder), re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.M | re.S)
    for number in re.findall(r"(\d[\d,]+) (?:actions|model calls|moves|steps)\b", prose):
        assert re.search(rf"(?<![\d,]){number} (actions|model calls|steps)", printed), number
    return printed


@pytest.mark.slow
def test_the_tutorial_does_what_it_says(tmp_path: Path) -> None:
    run_and_count("tutorial.md", tmp_path)


@pytest.mark.slow
def test_the_tutorial_of_a_plugin_leads_to_one_that_is_solved(tmp_path: Path) -> None:
    printed = run_and_count("tutorial-plugin.md", tmp_path)
    assert "74 of 74 training pairs" in printed
    assert "14 of 14 solved" in printed
    assert "699,050 actions, the known optimum (2^21 / 3, rounded down)" in printed
    written = tmp_path / "work/coc-rings/src/coc_rings/domain.py"
    assert (
        len([line for line in written.read_text("utf-8").splitlines() if line.strip()]) <= 81
    )  # the first names the file


@pytest.mark.slow
def test_the_tutorial_of_a_program_leads_to_one_that_is_certified(tmp_path: Path) -> None:
    printed = run_and_count("tutorial-program.md", tmp_path)
    assert "19 checks: 19 passed" in printed
    assert "87 of 87 training pairs" in printed
    assert "solved  total" in printed.partition("87 of 87")[2]
    page = (ROOT / "docs/tutorial-program.md").read_text("utf-8")
    written = (tmp_path / "work/total.py").read_text("utf-8").splitlines()
    (line,) = re.findall(r"total\.py:(\d+) in total\.2", page)
    assert "each(items)" in written[int(line) - 1]


def test_the_citation_names_this_version() -> None:
    citation = dict(re.findall(r"^[ -]*([a-z-]+): (.+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert (citation["version"], citation["license"]) == (project["version"], project["license"])
    readme = " ".join((ROOT / "README.md").read_text("utf-8").split())
    assert citation["title"].strip('"') in readme  # that of the paper, which comes last
    assert citation["family-names"] in readme


@for_each("path", DOCS)
def test_every_relative_link_leads_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", path.read_text("utf-8")):
        assert target.startswith("http") or (path.parent / target).exists(), target


def test_every_hook_is_documented() -> None:
    reference = (ROOT / "docs/reference/hooks.md").read_text("utf-8")
    for hook, kind in HOOKS.items():
        assert f"`{hook}`" in reference
        assert f"`{kind.__name__}`" in reference


def test_every_interface_is_in_the_reference() -> None:
    pages = (ROOT / "docs/reference" / name for name in ("interfaces.md", "hooks.md"))
    shown = {module for page in pages for module in re.findall(r"automodule:: (\S+)", page.read_text("utf-8"))}
    for module in map(import_module, map("coc_core.{}".format, INTERFACES)):
        public = [each for name, each in vars(module).items() if isinstance(each, type) and not name.startswith("_")]
        own = [each for each in public if each.__module__ == module.__name__]
        assert own
        for each in own:
            assert each.__module__ in shown
            assert each.__doc__, each  # else the page leaves it out


def test_every_fault_and_exit_code_is_documented() -> None:
    reference = (ROOT / "docs/reference/faults.md").read_text("utf-8")
    for kind, fault in FAULT_KINDS.items():
        assert re.search(rf"\| `{kind}` \|.*\| {fault.exit_code} \|", reference), kind
    for error in CocError.__subclasses__():
        assert f"| {error.exit_code} |" in reference


def test_the_domain_of_the_guide_works_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tmp_path / "countdown.py"
    module.write_text(blocks(ROOT / "docs/how-to/write-a-domain.md", "python")[0].text, "utf-8")
    spec = util.spec_from_file_location("countdown", module)
    assert spec is not None
    assert spec.loader is not None
    countdown = util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "countdown", countdown)
    spec.loader.exec_module(countdown)
    guest = Plugin("countdown", "countdown", "a guest", "1", tuple(countdown.coc_domains()))
    registry = Registry.of([*Registry.installed().plugins, guest])
    for memory in registry.specs(MemorySpec):
        for arithmetic in registry.specs(ArithmeticSpec):
            exact = "reference" if arithmetic.reference else None
            setting = Setting.of(registry, "countdown", memory.name, arithmetic.name, arith_model=exact)
            machine = setting.machine(setting.domain.problem(5))
            (outcome,) = Cached().run([machine], Reference(setting.convention))
            assert outcome.status == "solved"


@pytest.mark.slow
@pytest.mark.parametrize(
    "example", sorted({*ROOT.glob("examples/*.py")} - CHECKERS - NETWORKS), ids=lambda path: path.name
)
def test_every_example_runs(example: Path, tmp_path: Path) -> None:
    done = shell(f"python {example}", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "solved" in done.stdout
    assert example.name in (ROOT / "examples/README.md").read_text("utf-8")


def test_percentages_of_other_projects_have_a_source() -> None:
    rows = re.findall(r"^\|.*\|$", (ROOT / "docs/explanation/learned.md").read_text("utf-8"), re.MULTILINE)
    assert [row for row in rows if re.search(r"\d%", row) and "](https://" not in row] == []


def test_the_documentation_stays_short_enough_to_be_read() -> None:
    words = {path: len(path.read_text("utf-8").split()) for path in ROOT.glob("docs/**/*.md") if path.name != "cli.md"}
    assert sum(words.values()) <= 36_000
    assert sum(count for path, count in words.items() if path.parent.name == "results") <= 7_900
