"""The checker of certificates: it accepts what `coc certify` writes, and refuses whatever has been changed, without coc."""

import hashlib
import json
import shutil
import sys
from pathlib import Path

import pytest

from tests.support.bare_python import run_bare, run_here

ROOT = Path(__file__).parents[2]
CHECKER = ROOT / "examples" / "check_certificate.py"
FILES = ("config.json", "tokenizer.json", "model.safetensors")

SETTINGS = {
    "composed": (["hanoi", "-n", "1-2"], "coc_hanoi/checkpoints/pda", "certified"),
    "hanoi on a tape": (
        ["hanoi", "-m", "tape", "-n", "1-3", "--no-bounds"],
        "coc_hanoi/checkpoints/tape-symbolic",
        "exact on this machine",
    ),
    "pancake": (
        ["pancake", "-n", "1-3", "--exhaustive", "--no-bounds"],
        "coc_pancake/checkpoints/pancake",
        "exact on this machine",
    ),
    "blocksworld": (
        ["blocksworld", "-n", "1-3", "--exhaustive", "--no-bounds"],
        "coc_blocksworld/checkpoints/blocksworld",
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
        path.write_text(text)
        return run([CHECKER, path, checkpoint])

    return run


def test_it_is_short_and_imports_nothing_of_coc():
    source = CHECKER.read_text("utf-8")
    assert len(source.splitlines()) <= 400
    imported = {
        line.split()[1].partition(".")[0] for line in source.splitlines() if line.startswith(("import", "from"))
    }
    assert imported <= {*sys.stdlib_module_names, "numpy"}


@pytest.mark.slow
@pytest.mark.parametrize("name", SETTINGS)
def test_it_accepts_what_coc_writes(made, checked, name):
    done = checked(*made(name), run_bare)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{SETTINGS[name][2]}: ")


def replaced(start, old, new):
    def change(document):
        found = next(each for each in document["rules"] if each["prompt"].startswith(start) and old in each["target"])
        found["target"] = found["target"].replace(old, new)

    return change


def put(path, value):
    def change(document):
        *keys, last = path
        for key in keys:
            document = document[key]
        document[last] = value(document[last])

    return change


COMPOSED = {
    "a target": (replaced("INSTR MOVE", "2 from 1", "2 from 2"), "an action with other needs"),
    "a target of the same effect": (replaced("INSTR CALL n=1", "OUTPUT", "\nOUTPUT"), "no action"),
    "a margin": (put(["rules", 0, "margin"], lambda margin: margin * 1.01), "the margin of"),
    "a margin without a bound": (put(["rules", 0, "bound"], lambda _: None), "the verdict is"),
    "a bound": (put(["rules", 0, "bound"], lambda _: 1e3), "the verdict is"),
    "a dropped rule": (lambda document: document["rules"].pop(), "has no rule|IndexError"),
    "an added rule": (
        lambda document: document["rules"].append(document["rules"][-1] | {"prompt": "INSTR MOVE d=9 src=1 dst=2"}),
        "no problem leads to",
    ),
    "a rule twice": (lambda document: document["rules"].append(document["rules"][0]), "a prompt has two rules"),
    "a count": (put(["rules", 1, "actions"], lambda count: count + 1), "other counts"),
    "a number of steps": (put(["problems", 1, "steps"], lambda count: count + 1), "other counts"),
    "a needed variable": (put(["rules", 1, "needs", 0, 1], lambda peg: peg % 3 + 1), "another effect"),
    "a variable that is not needed": (put(["rules", 1, "needs"], lambda needs: needs[1:]), "another effect"),
    "what an action needs": (put(["actions", 0, "needs"], lambda _: []), "an action with other needs"),
    "what follows": (put(["rules", 1, "then"], lambda then: then[::-1]), "does something else"),
    "a goal": (put(["problems", 1, "problem"], lambda text: "n=2 src=1 dst=2"), "begins with another prompt"),
    "another size": (put(["problems", 1, "problem"], lambda text: "n=3 src=1 dst=3"), "begins with another prompt"),
    "the fingerprint": (put(["fingerprint"], lambda text: text[::-1]), "that of another checkpoint"),
    "the setting": (put(["dialect"], lambda text: "hanoi/chain"), "does not know the setting"),
    "the version": (put(["version"], lambda version: 2), "of another version"),
}


@pytest.mark.parametrize("fault", COMPOSED)
def test_it_refuses_a_change_of_a_composed_certificate(made, checked, fault):
    text, checkpoint = made("composed")
    document = json.loads(text)
    change, reason = COMPOSED[fault]
    change(document)
    code, said = checked(json.dumps(document), checkpoint)
    assert (code, said[:9]) == (1, "refused: "), said
    assert any(each in said for each in reason.split("|")), said


STEPS = {
    "a goal": (
        put(["problems", 3, "problem"], lambda text: text.replace("goal=[P1, P2, P3]", "goal=[P2, P1, P3]")),
        "no",
    ),
    "another start": (put(["problems", 3, "problem"], lambda text: "start=[P3, P1] & goal=[P1, P2, P3]"), "no problem"),
    "an action": (replaced("CALL", "where P1 is", "where P2 is"), "margin|target|solved|no rule"),
    "an illegal action": (replaced("CALL", "where P1 is", "where P9 is"), "an illegal action"),
    "a dropped rule": (lambda document: document["rules"].pop(), "has no rule|IndexError"),
    "a count": (put(["problems", 3, "actions"], lambda count: count + 2), "other counts"),
    "fewer steps": (put(["problems", 8, "steps"], lambda count: 0), "other counts"),
    "the verdict": (put(["verdict"], lambda verdict: "certified"), "the verdict is"),
}


@pytest.mark.parametrize("fault", STEPS)
def test_it_refuses_a_change_of_another_certificate(made, checked, fault):
    text, checkpoint = made("pancake")
    document = json.loads(text)
    change, reason = STEPS[fault]
    change(document)
    code, said = checked(json.dumps(document), checkpoint)
    assert (code, said[:9]) == (1, "refused: "), said
    assert any(each in said for each in reason.split("|")), said


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


@pytest.mark.parametrize("forged", [False, True], ids=["as it is", "with a forged fingerprint"])
@pytest.mark.parametrize(("name", "damage"), [("model.safetensors", flip), ("tokenizer.json", swap)])
def test_it_refuses_another_checkpoint(made, checked, tmp_path, name, damage, forged):
    text, checkpoint = made("composed")
    copy = tmp_path / "copy"
    shutil.copytree(checkpoint, copy)
    damage(copy / name)
    document = json.loads(text)
    if forged:
        digests = [hashlib.sha256((copy / each).read_bytes()).digest() for each in FILES]
        document["fingerprint"] = hashlib.sha256(b"".join(digests)).hexdigest()
    code, said = checked(json.dumps(document), copy)
    assert code == 1
    assert ("the margin of" in said or "with another target" in said) if forged else "another checkpoint" in said
