import json
import sys
from types import SimpleNamespace

import pytest
from hypothesis.vendor.pretty import pretty

from coc_core.errors import ArtefactError, UsageError
from coc_core.models import on_device
from coc_core.plugin import DomainSpec, ModelSpec, Plugin, Registry, installed, load
from coc_core.setting import Setting, checkpoint_folder, configured_backend
from coc_core.types import Limits
from coc_puzzles.hanoi.instructions import Tower
from tests.support.conformance import offering
from tests.support.for_each import for_each
from tests.support.toy_parts import Scripted

FAKE = ("fake", "tests.support.fake_plugin")


@pytest.fixture
def registry(entry_point):
    core = [point for point in installed() if point.name in ("core", "hanoi")]
    return Registry.of(load([*core, entry_point(*FAKE)]))


@pytest.fixture
def setting(registry):
    return Setting.of(registry, "hanoi", "pda", "symbolic")


@pytest.fixture
def checkpoint(tmp_path):
    def make(**changes):
        config = {"backend": "parrot", "dialects": ["hanoi/stack"], **changes}
        (tmp_path / "config.json").write_text(json.dumps(config))
        (tmp_path / "answers.json").write_text('{"hanoi/stack": {"q": "a"}}')
        return str(tmp_path)

    return make


def test_a_setting_makes_machines(registry):
    setting = Setting.of(registry, "hanoi", "tape", "inline", Limits(steps=7))
    assert repr(setting) == pretty(setting) == "Setting(hanoi, tape, inline)"
    machine = setting.machine(Tower(2))
    assert (machine.memory.name, machine.arithmetic.name, machine.limits.steps) == ("tape", "inline", 7)
    assert machine.peek() == "PTR=0 NEXT_ID=1 INSTR[0] CALL n=2 src=1 dst=3 aux=2 prev=-1"


@for_each(
    ("setting", "choice", "changes", "reason"),
    [
        (
            ("hanoi", "pda"),
            ...,
            {"dialects": ["queue/stack", "a"]},
            "was trained for queue/stack, a, and this run needs",
        ),
        (("hanoi", "pda"), ..., {"backend": "nobody"}, "needs the backend 'nobody', which is not installed or can't"),
        (("hanoi", "pda"), ..., {"backend": "reference"}, "needs the backend 'reference', which is not installed or"),
        *(
            (("hanoi", "pda"), name, {}, f"unknown model '{name}', and no folder of that name; did you mean 'refer")
            for name in ("referenze", "refer")
        ),
        (("hanoi", "pda"), "reference:x", {}, "unknown model 'reference:x'"),
        (("hanoi", "pda"), "parrot", {}, "the model 'parrot' needs a checkpoint; give --model the checkpoint's folder"),
        (("queue", "tape"), None, {}, "no trained model ships for queue on tape with symbolic arithmetic; train one"),
        (("stack-queue", "tape"), None, {}, "stack-queue can't run on tape; choose one of: pda$"),
    ],
)
def test_a_model_or_a_setting_that_there_is_not_is_refused(registry, checkpoint, setting, choice, changes, reason):
    with pytest.raises((UsageError, ArtefactError), match=reason):
        Setting.of(registry, *setting, "symbolic").model(checkpoint(**changes) if choice is ... else choice)


def test_a_model_knows_the_sizes_that_it_was_trained_for(setting, checkpoint):
    assert setting.model("reference").trained_sizes is None
    assert setting.model(checkpoint()).trained_sizes is None
    assert setting.model(checkpoint(sizes={"hanoi/stack": [2, 9]})).trained_sizes == range(2, 10)


def test_the_shipped_checkpoint_is_the_default(setting, checkpoint, monkeypatch, tmp_path):
    checkpoint()
    monkeypatch.setattr(Registry, "folder", lambda registry, spec: tmp_path)
    assert setting.model().complete(["q"]) == ["a"]
    assert setting.model("hanoi-pda").complete(["q"]) == ["a"]


def family(setting, text):
    if text == "black sheep":
        raise UsageError("not one of us")
    return Scripted(text, setting.domain.name)


@pytest.fixture
def families():
    offered = ModelSpec("family", "many models", configured="test_setting_parts:family")
    return Setting.of(Registry.of([*Registry.installed().plugins, plugin(offered)]), "hanoi", "pda", "symbolic")


def plugin(*specs):
    return Plugin("mine", "mine", "stranger", "1.0", specs, "")


def test_a_backend_may_have_many_models(families, monkeypatch):
    monkeypatch.setitem(sys.modules, "test_setting_parts", SimpleNamespace(family=family))
    assert families.model("family:a:b,c=d").complete(["1", "2"]) == ["a:b,c=d", "hanoi"]
    with pytest.raises(UsageError, match="not one of us"):
        families.model("family:black sheep")
    with pytest.raises(UsageError, match="'family' has many models; choose one with --model family:NAME"):
        families.model("family")


def test_several_backends_can_open_a_checkpoint(registry, checkpoint, monkeypatch):
    openers = {name: lambda *arguments, name=name: Scripted(name) for name in ("cpu", "any")}
    monkeypatch.setitem(sys.modules, "test_setting_parts", SimpleNamespace(**openers))
    on_cpu = ModelSpec("aaa", "", opens="parrot", cpu_only=True, opener="test_setting_parts:cpu")
    on_any = ModelSpec("zzz", "", opens="parrot", opener="test_setting_parts:any")
    setting = Setting.of(Registry.of([*registry.plugins, plugin(on_cpu, on_any)]), "hanoi", "pda", "symbolic")
    folder = checkpoint()
    assert setting.model(folder).complete(["q"]) == setting.checkpoint(folder, "aaa").complete(["q"]) == ["cpu"]
    assert setting.checkpoint(folder, "zzz").complete(["q"]) == ["any"]
    with on_device("cuda"):
        assert setting.model(folder).complete(["q"]) == ["a"]
    with on_device("cpu"):
        assert setting.model(folder).complete(["q"]) == ["cpu"]
    with pytest.raises(ArtefactError, match="needs the backend 'parrot', which is not installed or can't open it"):
        setting.checkpoint(folder, "reference")


def test_a_choice_of_many_models_is_told_from_a_folder(families):
    registry = families.registry
    assert configured_backend(registry, None) is None
    assert configured_backend(registry, "family") is None
    assert configured_backend(registry, "folder/family:a") is None
    spec, factory, text = configured_backend(registry, "family:a/b")
    assert (spec.name, factory, text) == ("family", "test_setting_parts:family", "a/b")
    assert checkpoint_folder(registry, "family:a/b") is None


def test_a_domain_names_the_memory_and_the_policy_for_it():
    installed = Registry.installed()
    usual = Setting.of(installed, "blocks", None, "symbolic")
    assert usual.memory.name == "heap"
    assert type(usual.domain).__name__ == "LinkedBlocks"
    assert type(Setting.of(installed, "blocks", "pda", "symbolic").domain).__name__ == "Blocks"
    assert Setting.of(installed, "hanoi", None, "symbolic").memory.name == "pda"


def test_the_memories_that_a_model_ships_for_and_the_domain_can_use_are_suggested():
    installed = Registry.installed()
    queue = offering(DomainSpec("queue", "tests.support.toy_parts:Queue", "", memories=("pda",)))
    for registry, domain, memory, suggestion in (
        (installed, "blocks", "pda", "or choose --memory heap, for which one ships"),
        (installed, "hanoi", "heap", "or choose --memory pda or --memory tape, for which one ships"),
        (queue, "queue", "pda", "or use --model reference$"),
    ):
        with pytest.raises(UsageError, match=f"no trained model ships for {domain} on {memory} .*{suggestion}"):
            Setting.of(registry, domain, memory, "symbolic").model()
