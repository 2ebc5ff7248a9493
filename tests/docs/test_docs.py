"""The documentation is run, not believed."""

import os
import re
import subprocess
import sys
from importlib import util
from pathlib import Path

import pytest
from packages import make_known

from coc_core.errors import FAULT_KINDS, CocError
from coc_core.executor import Cached
from coc_core.hookspecs import ArithmeticSpec, MemorySpec
from coc_core.plugins import HOOKS, Plugin
from coc_core.reference import Reference
from coc_core.registry import Registry
from coc_core.setting import Setting

ROOT = Path(__file__).parents[2]
DOCS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")])
MAY_FAIL = "--model my-checkpoint"  # the tutorial says so


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "COLUMNS": "100"}
    environment.pop("PYTEST_ADDOPTS", None)
    return subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True)


def blocks(path: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", path.read_text(), re.DOTALL)


def test_the_commands_of_the_tutorial_work(tmp_path: Path) -> None:
    tutorial = ROOT / "docs" / "tutorial.md"
    printed = ""
    for block in blocks(tutorial, "sh"):
        if "pip install" in block:
            continue
        done = shell(block, tmp_path)
        printed += done.stdout
        allowed = (0, 1, 6) if MAY_FAIL in block else (0,)
        assert done.returncode in allowed, block + done.stdout + done.stderr
        assert "Traceback" not in done.stderr
    for shown in blocks(tutorial, "text"):
        assert shown in printed


def test_the_tutorial_of_a_plugin_leads_to_one_that_is_solved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package, site = tmp_path / "coc-rings", tmp_path / "site"
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, (site, package / "src"))))
    text = (ROOT / "docs" / "tutorial-plugin.md").read_text()
    folder, printed = tmp_path, ""
    for language, block in re.findall(r"```(sh|python)\n(.*?)```", text, re.DOTALL):
        if language == "python":
            place, _, code = block.partition("\n")
            (package / place.removeprefix("# ")).write_text(code)
            continue
        for command in block.splitlines():
            if command == "cd coc-rings":
                folder = package
                make_known(package, site)
            elif not command.startswith("pip "):
                done = shell(command, folder)
                printed += done.stdout
                assert done.returncode == 0, command + done.stdout + done.stderr
    assert "74 of 74 training pairs" in printed
    assert "14 of 14 solved" in printed
    assert "699,050 actions, as the closed form says" in printed
    code = [line for line in (package / "src/coc_rings/domain.py").read_text().splitlines() if line.strip()]
    assert len(code) <= 80


def test_the_first_run_of_the_readme_is_what_it_shows(tmp_path: Path) -> None:
    readme = ROOT / "README.md"
    command = blocks(readme, "sh")[0].split("&&")[-1].replace(".venv/bin/", "").strip()
    done = shell(command, tmp_path)
    assert done.returncode == 0, done.stderr
    shown = next(block for block in blocks(readme, "text") if "solved" in block)

    def stable(text: str) -> str:
        return re.sub(r"[\d.,]+ s, [\d,]+ steps/s", "TIME", "\n".join(map(str.rstrip, text.splitlines()))).strip()

    assert stable(done.stdout) == stable(shown)


def test_the_command_line_reference_is_current(tmp_path: Path) -> None:
    done = shell(f"{sys.executable} -m typer coc_core.cli.app utils docs --name coc", tmp_path)
    assert done.stdout.strip() == (ROOT / "docs/reference/cli.md").read_text().strip(), (
        "run: python -m typer coc_core.cli.app utils docs --name coc > docs/reference/cli.md"
    )


@pytest.mark.parametrize("path", DOCS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_relative_link_leads_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", path.read_text()):
        assert target.startswith("http") or (path.parent / target).exists(), target


def test_every_hook_is_documented() -> None:
    reference = (ROOT / "docs/reference/hooks.md").read_text()
    for hook, kind in HOOKS.items():
        assert f"`{hook}`" in reference
        assert f"`{kind.__name__}`" in reference


def test_every_fault_and_exit_code_is_documented() -> None:
    reference = (ROOT / "docs/reference/faults.md").read_text()
    for kind, fault in FAULT_KINDS.items():
        assert re.search(rf"\| `{kind}` \|.*\| {fault.exit_code} \|", reference), kind
    for error in CocError.__subclasses__():
        assert f"| {error.exit_code} |" in reference


def test_the_domain_of_the_guide_works_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tmp_path / "countdown.py"
    module.write_text(blocks(ROOT / "docs/how-to/write-a-domain.md", "python")[0])
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


@pytest.mark.parametrize("example", sorted(ROOT.glob("examples/*.py")), ids=lambda path: path.name)
def test_every_example_runs(example: Path, tmp_path: Path) -> None:
    done = shell(f"{sys.executable} {example}", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "solved" in done.stdout
    assert example.name in (ROOT / "examples/README.md").read_text()
