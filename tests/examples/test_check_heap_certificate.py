"""The checker of certificates of runs on a heap: it accepts what `coc certify` writes, and refuses what has been changed."""

import json
import runpy
import sys
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.support.bare_python import run_bare, run_here

ROOT = Path(__file__).parents[2]
CHECKER = ROOT / "examples" / "check_heap_certificate.py"
CHECKPOINTS = {
    "blocks": ROOT / "plugins/coc_puzzles/blocksworld/checkpoints/blocks",
    "blocksworld": ROOT / "plugins/coc_puzzles/blocksworld/checkpoints/blocksworld-heap",
    "blocksworld-extended": ROOT / "plugins/coc_puzzles/blocksworld/checkpoints/blocksworld-extended-heap",
    "pancake": ROOT / "plugins/coc_puzzles/pancake/checkpoints/pancake-heap",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Makes the certificate of a domain once; gives its document."""
    from coc_core.cli import main

    folder, texts = tmp_path_factory.mktemp("certificates"), {}

    def make(domain):
        which = ["-n", "1-4", "--instances", "6"] if domain == "blocks" else ["-n", "1-3", "--exhaustive"]
        options = ["-d", domain, "-m", "heap", *which, "--no-bounds", "--runs"]
        if domain not in texts:
            assert main(["certify", *options, "-o", str(folder / domain)]) == 0
            texts[domain] = (folder / domain).read_text()
        return json.loads(texts[domain])

    return make


@pytest.fixture
def checked(tmp_path):
    """Runs the checker on a document; gives the exit code and what it says."""

    def run(document, run=run_here):
        path = tmp_path / "certificate"
        path.write_text(json.dumps(document))
        return run([CHECKER, path, CHECKPOINTS[document["domain"]]])

    return run


@pytest.mark.slow
@pytest.mark.parametrize("domain", CHECKPOINTS)
def test_it_accepts_what_coc_writes(made, checked, domain):
    document = made(domain)
    done = checked(document, run_bare)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"exact on this machine: {len(document['problems'])} problems, ")
    assert len(document["problems"]) >= 8


def claims(change):
    """Changes the first claim of a run with several steps."""

    def changed(document):
        claim = next(claim for claim in document["problems"] if claim["steps"] > 9)
        claim.update(change(claim))

    return changed


def targets(old, new):
    def changed(document):
        rule = next(rule for rule in document["rules"] if old in rule["target"])
        rule["target"] = rule["target"].replace(old, new)

    return changed


FAULTS = {
    "a count": (claims(lambda claim: {"actions": claim["actions"] + 1}), "other counts"),
    "fewer steps": (claims(lambda claim: {"steps": claim["steps"] - 2}), "other counts"),
    "a goal": (claims(lambda claim: {"problem": claim["problem"][:-1] + ", on B1 B1]"}), "is not solved"),
    "a block twice": (claims(lambda claim: {"problem": claim["problem"].replace("[[", "[[B1], [B1, ")}), "twice"),
    "another record": (
        claims(lambda claim: {"window": claim["window"].replace("placed=no", "placed=yes")}),
        "has no rule|other counts|is not solved|another prompt|another target",
    ),
    "no records": (claims(lambda claim: {"window": claim["window"].split("\n")[-1]}), "names no record"),
    "a record that is none": (claims(lambda claim: {"window": "B1\n" + claim["window"]}), "records that are none"),
    "the first prompt": (claims(lambda claim: {"first": claim["first"] + 1}), "begins with another prompt"),
    "an action": (targets("OUTPUT Pick up", "OUTPUT Put down"), "another target"),
    "a dropped rule": (lambda document: document["rules"].pop(), "has no rule|begins with no rule"),
    "a rule twice": (lambda document: document["rules"].append(document["rules"][0]), "a prompt has two rules"),
    "a margin": (lambda document: document["rules"][0].update(margin=1.0), "the margin of"),
    "the setting": (lambda document: document.update(memory="pda"), "does not know the setting"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_it_refuses_a_change(made, checked, fault):
    document = made("blocks")
    change, reason = FAULTS[fault]
    change(document)
    code, said = checked(document)
    assert (code, said[:9]) == (1, "refused: "), said
    assert any(each in said for each in reason.split("|")), said


@pytest.mark.parametrize(("domain", "old"), [("pancake", "Flip from where P2"), ("blocksworld", "Move block B2")])
def test_it_refuses_another_action(made, checked, domain, old):
    document = made(domain)
    targets(old, old[:-1] + "1")(document)
    code, said = checked(document)
    assert (code, said[:9]) == (1, "refused: "), said


@pytest.mark.parametrize(
    "checker", ["check_certificate.py", "check_heap_certificate.py", "check_program_certificate.py"]
)
def test_it_says_which_arguments_it_takes(checker):
    done = run_bare([ROOT / "examples" / checker])
    assert (done.returncode, done.stderr) == (1, "arguments: CERTIFICATE CHECKPOINT\n")


@pytest.fixture(scope="module")
def simulator():
    path = list(sys.path)
    yield runpy.run_path(str(CHECKER))["Blocks"]
    sys.path[:] = path


@given(st.integers(1, 6), st.integers(0, 10**6), st.data())
def test_its_simulator_agrees_with_the_rules(simulator, n, seed, data):
    from coc_core.errors import ActionFault
    from coc_puzzles.blocksworld.blocks.policy import Blocks
    from coc_puzzles.blocksworld.blocks.rules import PickUp, PutDown, Stack, Unstack

    domain = Blocks()
    problem = domain.problem(n, seed)
    ours, state = simulator(domain.problems.format(problem)), domain.initial(problem)
    blocks = st.integers(1, n + 1)
    for _ in range(12):
        kind = data.draw(st.sampled_from([PickUp, PutDown, Stack, Unstack]))
        action = kind(*(data.draw(blocks) for _ in range(2 if kind in (Stack, Unstack) else 1)))
        assert ours.solved == domain.is_goal(problem, state)
        before = dict(ours.state)
        legal = ours.act(domain.actions.format(action))
        try:
            state = domain.apply(state, action)
        except ActionFault:
            assert not legal
            ours.state = before
        else:
            assert legal
            assert ours.state == dict(enumerate(state.below, 1))
