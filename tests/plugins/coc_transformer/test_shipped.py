"""The shipped checkpoints: each opens, is small, says how it was made, and predicts a sample of its pairs exactly."""

import json
import re
import shutil
import subprocess
import sys
from itertools import islice

import pytest

from coc_core.cli import main
from coc_core.memories import Reference
from coc_core.models import read_config
from coc_core.plugin import CheckpointSpec, Registry
from coc_core.setting import Setting
from coc_learn.addresses.dialect import ADDRESS_DIALECT
from coc_learn.datasets import teacher_pairs
from coc_learn.datasets.pairs import hold_out
from coc_problems import closure, enumerate_first
from coc_transformer.training.trainer import fingerprint
from tests.plugins.coc_transformer.conftest import opened
from tests.support.checksums import seal
from tests.support.for_each import for_each
from tests.support.shipped_checkpoints import (
    ON_HEAP,
    PLUGINS,
    PROGRAMS,
    PROMPTS,
    SETTINGS,
    SHIPPED,
    SPOKEN,
    reach,
    sample,
    setting_of,
)

FIRST = {spec.dialects[0] for spec in SHIPPED}
SOME = [setting for setting in SETTINGS if setting.convention.dialect in FIRST]
FILES = {"README.md", "SHA256SUMS", "config.json", "metrics.jsonl", "model.safetensors", "tokenizer.json"}
LARGEST = 5_000_000  # bytes


def name_of(value):
    match value:
        case Setting():
            return f"{value.domain.name}-{value.memory.name}-{value.arithmetic.name}"
        case CheckpointSpec():
            return value.name
    return str(value)


def test_each_setting_has_one():
    assert {setting.convention.dialect for setting in SETTINGS} | {ADDRESS_DIALECT} == SPOKEN.keys()


def test_all_that_lie_in_a_plugin_are_registered():
    assert sorted(SHIPPED.values()) == sorted(path.parent for path in PLUGINS.rglob("checkpoints/*/config.json"))
    dialects = [dialect for spec in SHIPPED for dialect in spec.dialects]
    assert len(dialects) == len(set(dialects))


@for_each("spec", SHIPPED)
def test_it_has_the_files_of_a_checkpoint_and_is_small(spec):
    sizes = {path.name: path.stat().st_size for path in SHIPPED[spec].iterdir()}
    assert sizes.keys() - {"pairs.digests"} == FILES  # a record that earlier versions wrote
    assert sum(sizes.values()) < LARGEST
    assert set(spec.dialects) <= set(read_config(SHIPPED[spec])[0].dialects)  # it may not be exact in all it learned


@for_each("spec", SHIPPED)
def test_its_card_says_how_it_was_made_and_what_it_gets_right(spec):
    card, *_ = (SHIPPED[spec] / "README.md").read_text().split("\n## ")  # the cards of those before may follow
    config = json.loads((SHIPPED[spec] / "config.json").read_text())
    assert re.search(r"^    coc train \S", card, re.MULTILINE)
    assert f"\nwith seed {config['training']['seed']} and the preset `" in card
    for half in ("training", "held-out"):
        (found,) = re.findall(rf"\| {half} pairs.* predicted exactly \| ([\d,]+) of ([\d,]+) \|", card)
        exact, pairs = (int(number.replace(",", "")) for number in found)
        assert 0 < exact <= pairs or (half == "held-out" and exact == pairs == 0)
    for dialect in spec.dialects:
        (section,) = re.findall(rf"- `{dialect}`.*\n  - training: (.*)\n  - held out: (.*)", card)
        for line in section:
            assert re.fullmatch(r"[\d,]+ of [\d,]+ exact, `[0-9a-f]{64}`", line)


@for_each("spec", SHIPPED)
def test_it_says_for_which_sizes_it_was_trained(spec):
    card = (SHIPPED[spec] / "README.md").read_text()
    identity, _ = read_config(SHIPPED[spec])
    if identity.dialects == (ADDRESS_DIALECT,):
        assert identity.sizes == {ADDRESS_DIALECT: range(10**18)}
        assert "| sizes it was trained on | `arithmetic`: addresses 0 to 999,999,999,999,999,999 |" in card
        assert [(test.n, test.wrong) for test in identity.tested[ADDRESS_DIALECT]] == [(n, 0) for n in range(1, 20)]
        return
    if not identity.sizes:  # it has learned all prompts that there are
        assert "heap" in identity.dialects[0]
        return
    commands = re.findall(r"^    coc train .* --n (\d+)-(\d+) ", card, re.MULTILINE)
    ((first, last),) = set(commands)
    assert identity.sizes == dict.fromkeys(identity.dialects, range(int(first), int(last) + 1))
    assert f"`{identity.dialects[0]}`: {first} to {last}" in card


@pytest.mark.parametrize("dialect", ["hanoi/linked/symbolic", "hanoi/stack"])
def test_the_pairs_of_its_card_are_those_of_today(dialect):
    card = (SPOKEN[dialect][1] / "README.md").read_text()
    learned, held = hold_out(sample(dialect), 0.15, 0)
    for fact in ("| 184 of 184 |", "| 32 of 32 |", f"`{fingerprint(learned)}`", f"`{fingerprint(held)}`"):
        assert fact in card


@pytest.mark.parametrize("dialect", sorted(it for it in SPOKEN if it.split("/")[0] not in {ADDRESS_DIALECT, *PROGRAMS}))
def test_it_begins_the_first_problem_of_the_list_of_every_size(dialect):
    # A sorted stack, a tower that is already built: problems that are never drawn at large sizes.
    setting = setting_of(dialect)
    sizes = [*range(1, 13), *range(17, reach(setting), 20), reach(setting)]
    prompts = [setting.machine(drawn.problem).peek() for n in sizes for drawn in enumerate_first(setting.domain, n, 1)]
    targets = Reference(setting.convention).complete(prompts)
    answers = zip(sizes, setting.model().complete(prompts, targets), targets, strict=True)
    assert [n for n, got, wanted in answers if got != wanted] == []


@pytest.mark.slow
@pytest.mark.parametrize("domain", sorted(ON_HEAP))
def test_with_names_by_place_it_answers_all_prompts_that_steps_can_lead_to(domain):
    setting = setting_of(f"{domain}/heap-2/symbolic")
    problems = [setting.domain.problem(n, seed) for n in range(1, 11) for seed in range(200)]
    prompts, targets = zip(*closure(setting.convention, problems), strict=True)
    assert len(prompts) == PROMPTS.get(setting.convention.dialect, 421)
    assert setting.model().complete(prompts, targets) == list(targets)


def test_hanoi_on_a_stack_is_exact_at_every_size_though_it_was_trained_on_twenty():
    setting = setting_of("hanoi/stack")
    prompts, targets = zip(*teacher_pairs(setting, [setting.domain.problem(n) for n in range(1, 65)]), strict=True)
    assert len(prompts) == 744
    assert setting.model().complete(prompts) == list(targets)


@pytest.mark.slow
def test_hanoi_with_inline_arithmetic_is_exact_on_more_disks_and_longer_addresses_than_in_its_training():
    setting = setting_of("hanoi/linked/numeric")
    pairs = [
        pair for n in range(16, 21) for pair in islice(teacher_pairs(setting, [setting.domain.problem(n)]), 20)
    ] + list(islice(teacher_pairs(setting, [setting.domain.problem(17)]), 60_000, 120_000, 3_000))
    assert max(int(found) for pair in pairs for found in re.findall(r"PTR=(\d+)", pair.prompt)) > 100_000
    prompts, targets = zip(*pairs, strict=True)
    assert setting.model().complete(prompts, targets) == list(targets)


@pytest.mark.slow
@pytest.mark.parametrize(
    "dialect", sorted(it for it in SPOKEN if it.split("/")[0] in ("blocks", "blocksworld", "pancake"))
)
def test_lists_longer_than_those_in_training_are_copied(dialect):
    setting = setting_of(dialect)
    most = reach(setting)
    assert most > read_config(SPOKEN[dialect][1])[0].sizes[dialect][-1]
    pairs = list(teacher_pairs(setting, [setting.domain.problem(most, seed=5)]))
    prompts, targets = zip(*pairs[:: max(1, len(pairs) // 12)], strict=True)
    assert setting.model().complete(prompts, targets) == list(targets)


@pytest.mark.parametrize("change", [lambda it: it.pop("lr"), lambda it: it.update(colour="green", loss="none yet")])
def test_how_it_was_trained_is_a_note_that_another_version_may_have_written(tmp_path, change):
    spec, shipped = SPOKEN[ADDRESS_DIALECT]
    folder = shutil.copytree(shipped, tmp_path / spec.name)
    config = json.loads((folder / "config.json").read_text())
    change(config["training"])
    (folder / "config.json").write_text(json.dumps(config))
    seal(folder)
    assert opened(folder).complete(["PTR=4 PTR+1"]) == ["5"]


@pytest.mark.parametrize("setting", SOME, ids=name_of)
def test_a_run_picks_it_by_itself_and_is_solved(coc, setting):
    exact = ("--arith-model", "reference") if setting.arith_model else ()
    domain, memory, arith = setting.domain.name, setting.memory.name, setting.arithmetic.name
    n = min(5, setting.domain.sizes[-1])
    done = coc("run", "-d", domain, "-m", memory, "-a", arith, "-n", n, "--json", *exact)
    assert done.code == 0, done.out + done.err
    document = json.loads(done.out)
    spec, _ = SPOKEN[setting.convention.dialect]
    assert document["outcome"] == "solved"
    assert document["model"].startswith(f"{spec.name} (transformer, ")


def test_learned_arithmetic_picks_its_model_by_itself(coc):
    done = coc("run", "-d", "hanoi", "-m", "tape", "-a", "learned", "-n", 5, "--json")
    assert done.code == 0, done.out + done.err
    document = json.loads(done.out)
    assert document["arith_model"].startswith(f"{SPOKEN[ADDRESS_DIALECT][0].name} (transformer, ")
    assert document["arith_mistakes"] == []


@pytest.mark.slow
def test_twenty_disks_a_million_moves_and_no_error(tmp_path, capsys):
    plan = tmp_path / "plan"
    command = "run --domain hanoi --memory pda --arith symbolic --n 20 --json --plan"
    assert main([*command.split(), str(plan)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["outcome"] == "solved"
    assert "(transformer, " in document["model"]
    assert (document["steps"], document["actions"]) == (1_572_862, 1_048_575)
    assert document["model_calls"] == 111
    with plan.open() as written:
        for line, (disk, src, dst) in zip(written, by_the_book(20, 1, 3), strict=True):
            assert line == f"Move disk {disk} from {src} to {dst}\n"


def by_the_book(n, src, dst):
    """The shortest solution, move by move, without recursion: disk d moves at the multiples of 2^(d-1) that are odd."""
    at = [src] * (n + 1)
    for number in range(1, 2**n):
        disk = (number & -number).bit_length()
        # All disks of one parity go round one way, those of the other parity the other way.
        step = (dst - src) if (n - disk) % 2 == 0 else (src - dst)
        target = (at[disk] - 1 + step) % 3 + 1
        yield disk, at[disk], target
        at[disk] = target


UNNEEDED = (
    *("sympy", "torch._dynamo", "torch._inductor", "torch._refs", "torch.distributed", "torch.onnx", "torch.optim"),
    *(f"coc_transformer.{room}" for room in ("training",)),
)
LOADING = """
import json, sys
from pathlib import Path
import torch
before = set(sys.modules)
from coc_core.models import read_config
from coc_transformer.decoding.backend import open_checkpoint
for folder in map(Path, sys.argv[1:]):
    identity, config = read_config(folder)
    open_checkpoint(folder, config, identity, identity.dialects[0]).complete(["?"])
print(json.dumps(sorted(set(sys.modules) - before)))
"""


@pytest.mark.slow
def test_loading_a_shipped_checkpoint_imports_nothing_that_decoding_does_not_need():
    registry = Registry.installed()
    folders = map(str, map(registry.folder, registry.specs(CheckpointSpec)[::5]))
    done = subprocess.run([sys.executable, "-c", LOADING, *folders], capture_output=True, text=True, check=True)
    names = json.loads(done.stdout)
    assert "coc_transformer.decoding.backend" in names
    assert [name for name in names if name.startswith(UNNEEDED)] == []
