"""What makes a result beside its arguments: a change of it makes another key, and a change of anything else doesn't."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from coc_core.plugin import CheckpointSpec, DomainSpec, Registry
from coc_paper.item import Budget
from coc_paper.origin import sources
from coc_paper.schedule import Schedule
from coc_paper.store import Store
from coc_paper.tasks import Task, with_needs
from tests.support.for_each import for_each
from tests.support.forgetful import anew
from tests.support.paper_items import ITEMS, parameters

WORK = {
    "__init__.py": "",
    "work.py": "from made_up import parts\nfrom .deep.more import *\n\ndef compute(folder, needs):\n    return 1\n",
    "parts.py": "import json, made_up.lazily as later\nfrom typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    import made_up.typed\n\n"
    "def deep():\n    import importlib\n    return importlib.import_module('made_up.named')\n",
    "lazily.py": "",
    "named.py": "",
    "typed.py": "",
    "unused.py": "",
    "deep/__init__.py": "",
    "deep/more.py": "",
    "table.csv": "1",
}
USED = {*WORK} - {"typed.py", "unused.py"}


def made_up():
    return Task("made_up.work:compute")


def key():
    anew(plugins=False)
    return made_up().key


@pytest.fixture
def package(tmp_path, monkeypatch):
    """The folder of a package whose module `work` has the function of the task `made_up()`."""
    folder = tmp_path / "library" / "made_up"
    for name, text in WORK.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    monkeypatch.syspath_prepend(str(folder.parent))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    anew()
    yield folder
    anew()


def test_a_changed_line_is_noticed_in_what_is_imported_and_nowhere_else(package):
    before = key()
    changed = set()
    for name in WORK:
        text = (package / name).read_text()
        (package / name).write_text(f"{text}\nx = 1\n")
        if key() != before:
            changed.add(name)
        (package / name).write_text(text)
    assert changed == USED
    assert key() == before


def test_words_change_nothing(package):
    before = key()
    for path in package.rglob("*.py"):
        text = path.read_text().replace("needs):\n", 'needs):\n    """It is documented."""\n    # Words.\n')
        path.write_text(f'"""It is documented."""\n\n# Words.\n\n{text}')
    for name in ("README.md", "work.py~", ".work.py.swp", ".DS_Store"):
        (package / name).write_text("Words.")
    assert key() == before


def test_a_changed_line_makes_the_result_again_and_keeps_the_old_one(package, tmp_path):
    store, found = Store.open(tmp_path / "out", create=True), []
    for number in (1, 1, 2):
        (package / "work.py").write_text(f"def compute(folder, needs):\n    return {number}\n")
        anew()
        Schedule.of(store, [made_up()]).compute(None)
        found.append(store.find(made_up()).result)
    assert found == [1, 1, 2]
    assert len(list((store.folder / "results").iterdir())) == 2
    assert "other code: made_up.work" in store.other(made_up()).other


def test_a_module_in_a_folder_of_its_name_is_found(tmp_path, monkeypatch):
    path = tmp_path / "made_up" / "made_up.py"
    path.parent.mkdir()
    path.write_text("import helper_of_made_up\n")
    path.with_name("helper_of_made_up.py").write_text("x = 1\n")
    monkeypatch.syspath_prepend(str(path.parent))
    anew()
    assert sources.code_of("made_up:compute", {}, None)["modules"].keys() == {"made_up", "helper_of_made_up"}
    anew()


def test_a_network_of_your_own_counts_where_it_is_trained_and_run(package):
    training = {"domain": "hanoi", "preset": "small", "network": "made_up.unused:Net"}
    for arguments, trained in ((training, None), ({"domain": "hanoi"}, training)):
        code = sources.code_of("tests.support.paper_tasks:count", arguments, trained)
        assert {"made_up.unused", "coc_transformer.network.base"} <= code["modules"].keys()


def test_what_can_not_be_parsed_counts_as_it_is(package):
    (package / "parts.py").write_text("def (:\n")
    before = key()
    (package / "parts.py").write_text("def ):\n")
    assert key() != before


@pytest.mark.parametrize("library", ["python", "torch", "numpy"])
def test_the_versions_of_libraries_are_in_the_key(library, monkeypatch):
    task = Task("coc_paper.work.learning:train", {"domain": "hanoi", "preset": "small"})
    versions = task.description["code"]["libraries"]
    assert versions[library]
    monkeypatch.setattr(sources, "_version", lambda name: "0" if name == library else versions[name])
    monkeypatch.setattr(sources.platform, "python_version", lambda: "0" if library == "python" else versions["python"])
    assert Task(task.function, task.arguments).key != task.key


def test_a_torch_for_another_device_is_the_same(monkeypatch):
    torch = sources._version("torch")
    monkeypatch.setattr(sources, "version_of", lambda _: f"{torch}+cu128")
    anew()
    assert sources._version("torch") == torch
    anew()


def test_the_kind_of_hardware_is_in_the_key_where_a_network_is_used(monkeypatch):
    def keys():
        tasks = [*ITEMS["stack"].tasks(parameters("stack", Budget.quick)).values()]
        return [task.key for task in (*with_needs(tasks).values(), Task("tests.support.paper_tasks:count"))]

    before = keys()
    monkeypatch.setattr(sources, "hardware", lambda *, trains: "NVIDIA H100" if trains else "x86_64")
    assert [one == other for one, other in zip(before, keys(), strict=True)] == [False, False, True]


def test_every_task_has_the_sources_of_the_parts_that_it_runs():
    registry = Registry.installed()
    for item in ITEMS.values():
        tasks = [each for budget in Budget for each in item.tasks(parameters(item.name, budget)).values()]
        for task in with_needs(tasks).values():
            code, (_, function) = task.description["code"], task.function.split(":")
            modules, trains = code["modules"], "preset" in task.arguments
            assert {"coc_core", task.function.partition(":")[0]} <= modules.keys()
            assert not any(module.startswith(("coc_core.cli", "coc_paper.items", "coc_view")) for module in modules)
            assert ("coc_transformer.training.loop" in modules) == trains
            assert ("coc_transformer.numpy.backend" in modules) == (function in ("evaluate", "errors", "costs", "same"))
            assert bool(code["hardware"]) == (trains or "coc_transformer.numpy.backend" in modules)
            if "domain" in task.arguments:
                spec, memories = registry.find(DomainSpec, task.arguments["domain"]), task.arguments["memory"]
                for memory in [memories] if isinstance(memories, str) else memories:
                    assert spec.factory_on(memory).partition(":")[0] in modules
            shipped = task.arguments.get("checkpoint") or (function == "evaluate" and task.arguments.get("model"))
            assert list(code["checkpoints"]) == ([shipped] if shipped else [])


def test_the_weights_of_a_shipped_checkpoint_are_in_the_key(tmp_path, monkeypatch):
    def key():
        anew()
        return Task("tests.support.paper_tasks:count", {"model": "hanoi-pda"}).key

    shipped = key()
    assert shipped != Task("tests.support.paper_tasks:count", {"model": "no-such-checkpoint"}).key
    monkeypatch.setattr(Registry, "folder", lambda _, spec: tmp_path if isinstance(spec, CheckpointSpec) else None)
    (tmp_path / "model.safetensors").write_text("1")
    keys = {shipped, key()}
    (tmp_path / "model.safetensors").write_text("2")
    keys.add(key())
    assert len(keys) == 3
    (tmp_path / "README.md").write_text("Words.")
    assert key() in keys
    anew()


@for_each(
    ("arguments", "checkpoints"),
    [
        ({"domain": "hanoi"}, ["hanoi-pda"]),  # what `coc.run` opens by default
        ({"domain": "hanoi", "model": "reference"}, []),
        ({"domain": "hanoi", "preset": "small"}, []),
        ({"domain": "hanoi", "arith": "learned", "model": "reference"}, ["arithmetic"]),
        ({"checkpoint": ["hanoi-pda", "pancake"]}, ["hanoi-pda", "pancake"]),
        ({"domain": "nowhere", "memory": 7 * "x"}, []),
    ],
)
def test_the_checkpoints_are_those_that_are_opened(arguments, checkpoints):
    assert list(sources.code_of("tests.support.paper_tasks:count", arguments, None)["checkpoints"]) == checkpoints


_LOADED = """
import json, sys
from pathlib import Path
from coc_paper.tasks import Task
from coc_paper.work import Done

function, arguments, result, folder = json.loads(sys.argv[1])
needs = {"model": Done(result, Path(folder))} if result else {}
found = Task(function, arguments).run(Path(folder), needs)
print(json.dumps([found, sorted(name for name in sys.modules if name.startswith("coc_"))]))
"""
_TAPE = {"domain": "hanoi", "memory": "tape", "arith": "inline"}
_TRAINING = {**_TAPE, "sizes": "1-2", "preset": "exact-numbers", "hyperparameters": {"steps": 2, "d_model": 16}}
_OTHERS = {
    "evaluation:evaluate": {**_TAPE, "sizes": "1-2"},
    "steps:errors": {**_TAPE, "sizes": "1-2", "instances": 1, "seed": 0},
    "steps:costs": {**_TAPE, "n": 1},
    "reference:growth": {**_TAPE, "n": 2, "model": "reference"},
    "reference:pairs": {
        "domain": "blocksworld",
        "memory": "heap",
        "arith": "symbolic",
        "sizes": [3],
        "model": "reference",
    },
}


@pytest.mark.slow
def test_no_module_that_is_loaded_is_missing(tmp_path):
    """Each task in a process of its own; what loads plugins and schedules tasks is left out."""

    def loaded(function, arguments, result=None):
        call = json.dumps([f"coc_paper.work.{function}", arguments, result, str(tmp_path)])
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        done = subprocess.run([sys.executable, "-c", _LOADED, call], capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    hooks = sources._hooks().modules
    origin = Path(sources.__file__).parent
    machinery = {
        "coc_check",
        "coc_workers.cores",
        "coc_paper.origin",
        *(f"coc_paper.{path.stem}" for path in origin.parent.glob("*.py")),
        *(f"coc_paper.origin.{path.stem}" for path in origin.glob("*.py")),
    }
    trained, names = loaded("learning:train", _TRAINING)
    training = Task("coc_paper.work.learning:train", _TRAINING)
    assert {*names} - training.description["code"]["modules"].keys() - hooks - machinery == set()
    for function, arguments in _OTHERS.items():
        needs = {} if "reference" in function else {"model": training}
        _, names = loaded(function, arguments, trained if needs else None)
        code = Task(f"coc_paper.work.{function}", arguments, needs).description["code"]
        assert {*names} - code["modules"].keys() - hooks - machinery == set(), function
