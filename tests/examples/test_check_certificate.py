"""The checker of certificates: it accepts what `coc certify` writes, and refuses whatever has been changed, without coc."""

import json
import sys
from pathlib import Path

import pytest

from tests.support import forged_certificates as forged
from tests.support.bare_python import run_bare, run_here

ROOT = Path(__file__).parents[2]
CHECKER = ROOT / "examples" / "check_certificate.py"

SETTINGS = {
    "composed": (["hanoi", "-n", "1-2"], "coc_puzzles/hanoi/checkpoints/pda", "certified"),
    "hanoi on a tape": (
        ["hanoi", "-m", "tape", "-n", "1-3", "--no-bounds"],
        "coc_puzzles/hanoi/checkpoints/tape-symbolic",
        "exact on this machine",
    ),
    "pancake": (
        ["pancake", "-n", "1-3", "--exhaustive", "--no-bounds"],
        "coc_puzzles/pancake/checkpoints/pancake",
        "exact on this machine",
    ),
    "blocksworld": (
        ["blocksworld", "-n", "1-3", "--exhaustive", "--no-bounds"],
        "coc_puzzles/blocksworld/checkpoints/blocksworld",
        "exact on this machine",
    ),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Makes the certificate of a setting once; gives its text and the checkpoint."""
    from coc_core.cli import main

    folder, texts = tmp_path_factory.mktemp("certificates"), {}

    def make(name):
        arguments, checkpoint, _ = SETTINGS[name]
        if name not in texts:
            assert main(["certify", "-d", *arguments, "-o", str(folder / "made")]) == 0
            texts[name] = (folder / "made").read_text()
        return texts[name], ROOT / "plugins" / checkpoint

    return make


@pytest.fixture
def checked(tmp_path):
    """Runs the checker on a text; gives the exit code and what it says."""

    def run(text, checkpoint, run=run_here):
        path = tmp_path / "certificate"
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        return run([CHECKER, path, checkpoint])

    return run


def test_it_is_short_and_imports_nothing_of_coc():
    for path in [*CHECKER.parent.glob("check_*.py"), *CHECKER.parent.glob("certificate/*.py")]:
        lines = path.read_text("utf-8").splitlines()
        assert len(lines) <= 400
        imported = {line.split()[1].partition(".")[0] for line in lines if line.startswith(("import", "from"))}
        assert imported <= {*sys.stdlib_module_names, "numpy", "certificate", "check_certificate"}


@pytest.mark.slow
@pytest.mark.parametrize("name", SETTINGS)
def test_it_accepts_what_coc_writes(made, checked, name):
    done = checked(*made(name), run_bare)
    assert done.returncode == 0, done.stderr
    document = json.loads(made(name)[0])
    bounds = sum(rule["bound"] is not None for rule in document["rules"])
    assert done.stdout == (
        f"{SETTINGS[name][2]}: {len(document['problems']):,} problems, {len(document['rules']):,} prompts; computed again:"
        f" {len(document['rules']):,} margins in float64, {bounds:,} bounds on the rounding of float32\n"
    )


def replaced(start, old, new):
    def change(document):
        found = next(each for each in document["rules"] if each["prompt"].startswith(start) and old in each["target"])
        found["target"] = found["target"].replace(old, new)

    return change


COMPOSED = {
    "a target": (replaced("INSTR MOVE", "2 from 1", "2 from 2"), "an action with other needs"),
    "a target of the same effect": (replaced("INSTR CALL n=1", "OUTPUT", "\nOUTPUT"), "no action"),
    "a margin": (forged.put(["rules", 0, "margin"], lambda margin: margin * 1.01), "the margin of"),
    "a margin without a bound": (forged.put(["rules", 0, "bound"], lambda _: None), "the verdict is"),
    "a bound": (forged.put(["rules", 0, "bound"], lambda _: 1e3), "the verdict is"),
    "a smaller bound": (forged.put(["rules", 0, "bound"], lambda bound: bound * 0.998), "the bound of"),
    "a larger bound": (forged.put(["rules", 3, "bound"], lambda bound: bound * 1.002), "the bound of"),
    "a dropped rule": (lambda document: document["rules"].pop(), "has no rule|begins with no rule|does something else"),
    "an added rule": (
        lambda document: document["rules"].append(document["rules"][-1] | {"prompt": "INSTR MOVE d=9 src=1 dst=2"}),
        "no problem leads to",
    ),
    "a rule twice": (lambda document: document["rules"].append(document["rules"][0]), "a prompt has two rules"),
    "a count": (forged.put(["rules", 1, "actions"], lambda count: count + 1), "other counts"),
    "a number of steps": (forged.put(["problems", 1, "steps"], lambda count: count + 1), "other counts"),
    "a needed variable": (forged.put(["rules", 1, "needs", 0, 1], lambda peg: peg % 3 + 1), "another effect"),
    "a variable that is not needed": (forged.put(["rules", 1, "needs"], lambda needs: needs[1:]), "another effect"),
    "what an action needs": (forged.put(["actions", 0, "needs"], lambda _: []), "an action with other needs"),
    "what follows": (forged.put(["rules", 1, "then"], lambda then: then[::-1]), "does something else"),
    "a goal": (forged.put(["problems", 1, "problem"], lambda text: "n=2 src=1 dst=2"), "begins with another prompt"),
    "another size": (
        forged.put(["problems", 1, "problem"], lambda text: "n=3 src=1 dst=3"),
        "begins with another prompt",
    ),
    "the fingerprint": (forged.put(["fingerprint"], lambda text: text[::-1]), "that of another checkpoint"),
    "the setting": (forged.put(["dialect"], lambda text: "hanoi/chain"), "does not know the setting"),
    "the version": (forged.put(["version"], lambda version: version + 1), "of another version"),
}


STEPS = {
    "a goal": (
        forged.put(["problems", 3, "problem"], lambda text: text.replace("goal=[P1, P2, P3]", "goal=[P2, P1, P3]")),
        "no",
    ),
    "another start": (
        forged.put(["problems", 3, "problem"], lambda text: "start=[P3, P1] & goal=[P1, P2, P3]"),
        "no problem",
    ),
    "an action": (replaced("CALL", "where P1 is", "where P2 is"), "another target"),
    "a dropped rule": (lambda document: document["rules"].pop(), "has no rule|begins with no rule|does something else"),
    "a count": (forged.put(["problems", 3, "actions"], lambda count: count + 2), "other counts"),
    "fewer steps": (forged.put(["problems", 8, "steps"], lambda count: 0), "other counts"),
    "the verdict": (forged.put(["verdict"], lambda verdict: "certified"), "the verdict is"),
}


@pytest.mark.parametrize(
    ("name", "fault"), [*(("composed", each) for each in COMPOSED), *(("pancake", each) for each in STEPS)]
)
def test_it_refuses_a_change(made, checked, name, fault):
    text, checkpoint = made(name)
    document = json.loads(text)
    change, reason = (COMPOSED if name == "composed" else STEPS)[fault]
    change(document)
    code, said = checked(json.dumps(document), checkpoint)
    assert (code, said[:9]) == (1, "refused: "), said
    assert any(each in said for each in reason.split("|")), said


def test_it_refuses_what_is_forged(made, checked):
    text, checkpoint = made("composed")
    accepted = []
    for name, change in (forged.DOCUMENTS | forged.TEXTS).items():
        document = json.loads(text)
        said = checked(change(text) if name in forged.TEXTS else json.dumps(changed(change, document)), checkpoint)
        if said[0] != 1 or not said[1].startswith("refused: "):
            accepted.append((name, said))
    assert not accepted


def changed(change, document):
    change(document)
    return document


@pytest.mark.parametrize("kind", ["FOLDERS", pytest.param("RESCALED", marks=pytest.mark.slow)])
def test_it_refuses_a_forged_checkpoint(made, checked, tmp_path, kind):
    text, checkpoint = made("composed")
    reasons = {"FOLDERS": "refused: ", "RESCALED": ("refused: the bound of", "refused: the margin of")}[kind]
    accepted = []
    for name, forge in getattr(forged, kind).items():
        fingerprint = forged.forged_folder(checkpoint, forge, tmp_path / name)
        said = checked(json.dumps(json.loads(text) | {"fingerprint": fingerprint}), tmp_path / name)
        if said[0] != 1 or not said[1].startswith(reasons):
            accepted.append((name, said))
    assert not accepted


def flip(path):
    """Change a bit of a number in the weights: one of the exponent of a weight of the first block."""
    data = bytearray(path.read_bytes())
    data[-100_001] ^= 1 << 5
    path.write_bytes(data)


def swap(path):
    """Give two tokens each other's id."""
    parsed = json.loads(path.read_text("utf-8"))
    vocabulary = parsed["model"]["vocab"]
    vocabulary["0"], vocabulary["1"] = vocabulary["1"], vocabulary["0"]
    path.write_text(json.dumps(parsed), "utf-8")


@pytest.mark.parametrize("known", [False, True], ids=["as it is", "with a forged fingerprint"])
@pytest.mark.parametrize(("name", "damage"), [("model.safetensors", flip), ("tokenizer.json", swap)])
def test_it_refuses_another_checkpoint(made, checked, tmp_path, name, damage, known):
    text, checkpoint = made("composed")
    document = json.loads(text)
    fingerprint = forged.forged_folder(checkpoint, lambda folder: damage(folder / name), tmp_path / "copy")
    if known:
        document["fingerprint"] = fingerprint
    code, said = checked(json.dumps(document), tmp_path / "copy")
    assert code == 1
    assert ("the margin of" in said or "with another target" in said) if known else "another checkpoint" in said
