"""The page's network and memories are those of coc: the same responses, the same steps, and what one refuses both do."""

import json
import random
import re
import shutil
import subprocess
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from coc_core.errors import StepFault, UsageError
from coc_core.plugin import CheckpointSpec, Registry
from coc_core.setting import Setting, checkpoint_folder, open_checkpoint
from coc_problems.prompts import every_prompt, has_few_kinds
from coc_view.live import document

NODE = shutil.which("node")
SCRIPTS = [Path(document.__file__).with_name(name) for name in document.ENGINE]
REGISTRY = Registry.installed()
SIX = [
    *[("hanoi", "pda", "symbolic", 4), ("hanoi", "tape", "symbolic", 4), ("hanoi", "tape", "inline", 4)],
    *[(domain, "heap", "symbolic", n) for domain, n in (("blocks", 5), ("exact-cover", 3), ("scheme", 2))],
]
needs_node = pytest.mark.skipif(NODE is None, reason="there is no node here")


def in_node(models=(), runs=()):
    asked = json.dumps({"models": models, "runs": runs})
    done = subprocess.run(
        [NODE, Path(__file__).with_name("node.js"), *SCRIPTS], input=asked, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Kept:
    """The steps of a run of the policy, from the beginning: what is next, what the memory holds, and what was read."""

    def __init__(self, domain, memory, arith, n, seed=0, most=400):
        self.setting = Setting.of(REGISTRY, domain, memory, arith)
        problem = self.setting.domain.problem(n, seed)
        self.targets, self.before, records = [], [], []
        machine = self.setting.machine(problem, [records.append])
        self.memory, teacher = machine.memory, self.setting.model("reference")
        self.steps = [self.shown(machine.contents, ())]
        while (prompt := machine.peek()) is not None and len(self.targets) < most:
            self.before.append(machine.contents)
            self.targets.append(teacher.complete([prompt])[0])
            machine.step(self.targets[-1])
            self.steps.append(self.shown(machine.contents, records[-1].actions))
        self.described = document.describe_convention(
            self.setting, problem, [step["prompt"] for step in self.steps if step["prompt"]]
        )

    def shown(self, contents, actions):
        pointer, window = self.memory.read(contents) or (-1, None)
        prompt = None if window is None else self.setting.convention.prompt(window)
        actions = list(map(self.setting.domain.actions.format, actions))
        windows = list(self.memory.windows(contents))
        return {"prompt": prompt, "pointer": pointer, "windows": windows, "actions": actions}

    def tried(self, step, text):
        """What a target does after so many steps; None if it is refused, or no instruction can read what it writes."""
        convention, contents = self.setting.convention, self.before[step]
        window = self.memory.read(contents)[1]
        convention.prompt(window)
        try:
            target = convention.parse(text)
            after = self.memory.write(contents, convention.resolve(target, window, self.setting.arithmetic))
            return self.shown(after, convention.actions(target, window))
        except StepFault:
            return None


def corrupted(text, draw):
    """A target with one thing wrong: a letter, a name, a number or a line."""
    lines, at, names = text.split("\n"), draw.randrange(len(text)), re.findall("[A-Za-z_]*[0-9?]+", text) or [""]
    ways = [
        lambda: text[:at] + draw.choice(text + "0123456789") + text[at + 1 :],
        lambda: text[:at] + text[at + 1 :],
        lambda: "\n".join(draw.sample(lines, len(lines))),
        lambda: "\n".join([*lines, draw.choice(lines)]),
        lambda: re.sub("[0-9]+", lambda number: draw.choice([number[0], str(draw.randint(0, 99))]), text),
        lambda: text.replace(draw.choice(names), draw.choice(names), 1),
    ]
    return draw.choice(ways)()


def compare_runs(runs, each):
    draw = random.Random(1)
    wrong = [
        [[text for _ in range(each) if (text := corrupted(target, draw)) != target] for target in run.targets]
        for run in runs
    ]
    described = zip(runs, wrong, strict=True)
    asked = [{"convention": run.described, "targets": run.targets, "wrong": texts} for run, texts in described]
    counts = Counter()
    for run, texts, found in zip(runs, wrong, in_node(runs=asked)["runs"], strict=True):
        assert found["steps"] == run.steps
        counts["steps"] += len(run.targets)
        tried = [(step, text) for step, some in enumerate(texts) for text in some]
        for (step, text), theirs in zip(tried, found["tried"], strict=True):
            ours = run.tried(step, text)
            assert theirs == ours, (run.setting, text)
            counts["taken" if ours else "refused"] += 1
    return counts


def prompts_of(setting):
    """All prompts of a setting, if they are finitely many, else those of a few runs."""
    if has_few_kinds(setting.convention):
        return [pair.prompt for pair in every_prompt(setting.convention).pairs]
    named = setting.domain.name, setting.memory.name, setting.arithmetic.name
    runs = [Kept(*named, n, 1, 60) for n in sorted({*range(1, 9)} & {*setting.domain.sizes})]
    return list(dict.fromkeys(step["prompt"] for run in runs for step in run.steps if step["prompt"]))


def settings(spec):
    """The setting of each dialect of a checkpoint."""
    for memory, arith in (("pda", "symbolic"), ("heap", "symbolic"), ("tape", "symbolic"), ("tape", "inline")):
        for domain in {dialect.split("/")[0] for dialect in spec.dialects}:
            with suppress(UsageError):
                setting = Setting.of(REGISTRY, domain, memory, arith)
                if setting.convention.dialect in spec.dialects:
                    yield setting


def compare_responses(specs, most):
    """How many responses to prompts there are, each equal; checkpoints that the page can't run are left out."""
    models, expected = [], []
    for name, setting in ((spec.name, setting) for spec in specs for setting in settings(spec)):
        folder, dialect = checkpoint_folder(REGISTRY, name), setting.convention.dialect
        try:
            checkpoint, found = document.read_checkpoint(folder), prompts_of(setting)
        except UsageError:
            continue
        prompts = random.Random(1).sample(found, min(most, len(found)))
        models.append({"checkpoint": checkpoint, "dialect": checkpoint["dialects"].index(dialect), "prompts": prompts})
        expected.append(open_checkpoint(REGISTRY, folder, dialect, "numpy").complete(prompts))
    found = in_node(models=models)["responses"]
    for model, theirs, ours in zip(models, found, expected, strict=True):
        assert [each for each in zip(model["prompts"], ours, theirs, strict=True) if each[1] != each[2][0]] == []
    return sum(map(len, expected))


def specs(*names):
    return [spec for spec in REGISTRY.specs(CheckpointSpec) if not names or spec.name in names]


@needs_node
def test_responses_to_300_prompts():
    names = "hanoi-pda", "hanoi-tape-symbolic", "hanoi-tape-inline", "exact-cover", "scheme", "sort"
    assert compare_responses(specs(*names), 60) >= 300


@needs_node
def test_six_runs_and_wrong_targets():
    counts = compare_runs([Kept(*each, most=150) for each in SIX], 1)
    assert counts["steps"] > 350
    assert min(counts["taken"], counts["refused"]) > 50


@pytest.mark.slow
@needs_node
def test_all_prompts_of_all_checkpoints():
    assert compare_responses(specs(), 10**6) > 3_000


@pytest.mark.slow
@needs_node
def test_100_runs_and_10_000_wrong_targets():
    runs = []
    for setting in (each for spec in specs() for each in settings(spec)):
        for n in sorted({*range(1, 7)} & {*setting.domain.sizes})[-2:]:
            for seed in (1, 2):
                with suppress(UsageError):  # what the page can't check, it refuses
                    runs.append(Kept(setting.domain.name, setting.memory.name, setting.arithmetic.name, n, seed, 60))
    counts = compare_runs(runs, 3)
    assert len(runs) >= 100
    assert counts["taken"] + counts["refused"] >= 10_000
