"""What the checkers of certificates compute from rules alone: refused, whatever the model's margins are."""

import importlib
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FIRST = "INSTR CALL n=1 src=1 dst=3 aux=2"
HEAP = "CALL rearrange.1 goal=B1 AT B2: below=- next_tower=- goal_above=-"
WINDOW = "B1: below=- next_tower=- goal_above=-\nCALL rearrange.1 goal=B1 AT B1"


@pytest.fixture(scope="module")
def checkers():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "examples")
        stack, heap = map(importlib.import_module, ("check_certificate", "check_heap_certificate"))
        yield {"pda": stack.Checker, "tape": stack.Checker, "heap": heap.HeapChecker}
        for name in [name for name in sys.modules if name.startswith(("certificate", "check_"))]:
            del sys.modules[name]


@pytest.fixture
def explored(checkers):
    """What a checker says of targets by prompt, with the effects that follow, up to where a model is needed."""

    def explore(targets, claims, domain="hanoi", memory="pda", dialect="hanoi/stack", effects=None, actions=()):
        from certificate.rounding import ASSUMPTIONS
        from certificate.strict import Refused

        rules = [
            {"prompt": prompt, "target": target, "margin": 2.0, "bound": 1.0} | ((effects or {}).get(prompt, {}))
            for prompt, target in targets.items()
        ]
        head = dict.fromkeys(("format", "verdict", "fingerprint"), "")
        setting = {"domain": domain, "memory": memory, "arithmetic": "symbolic", "dialect": dialect, "version": 2}
        document = head | setting | {"assumptions": ASSUMPTIONS, "composed": effects is not None}
        document |= {"actions": list(actions), "rules": rules, "problems": claims}
        try:
            checker = checkers[memory](document)
            checker.explore()
            for claim in claims:
                checker.follow(claim)
            checker.all_reached()
        except Refused as error:
            return str(error)
        return "accepted"

    return explore


def effect(needs, sets, does=(), then=(), actions=1, steps=1):
    return {"does": [*does], "then": [*then], "actions": actions, "steps": steps, "needs": needs, "sets": sets}


def move(disk, src, dst):
    needs = [[smaller, 6 - src - dst] for smaller in range(1, disk)] + [[disk, src]]
    return {"action": f"Move disk {disk} from {src} to {dst}", "needs": needs, "sets": [[disk, dst]]}


def claim(problem="n=1 src=1 dst=3", actions=1, steps=1, **more):
    return {"problem": problem, "first": 0, "actions": actions, "steps": steps} | more


def composed(explored, targets, effects, used, *claims):
    return explored(targets, list(claims) or [claim()], effects=dict(zip(targets, effects, strict=True)), actions=used)


def single(explored, src, dst, *, needs=None):
    """One disk, moved by the first prompt."""
    used = move(1, src, dst)
    own = effect(needs or used["needs"], used["sets"], [used["action"]])
    return composed(explored, {FIRST: f"OUTPUT {used['action']}"}, [own], [used])


def test_a_composed_run_is_legal_and_reaches_the_goal(explored):
    assert single(explored, 1, 3) == "accepted"
    assert single(explored, 2, 3) == "'n=1 src=1 dst=3' has an illegal action"  # from where the disk is not
    assert single(explored, 1, 2) == "'n=1 src=1 dst=3' is not solved"
    assert "moves nothing" in single(explored, 1, 1)
    assert "has another effect" in single(explored, 1, 3, needs=[[1, 2]])


def test_actions_whose_needs_conflict_are_refused(explored):
    """The second move needs the disk where the first one has not left it; or what neither sets, in two places."""
    first, second = move(1, 1, 2), move(1, 1, 3)
    target = f"OUTPUT {first['action']}\nOUTPUT {second['action']}"
    own = effect([[1, 1]], [[1, 3]], [first["action"], second["action"]], actions=2)
    told = composed(explored, {FIRST: target}, [own], [first, second], claim(actions=2))
    assert told == f"no state lets {FIRST!r} succeed"
    first, second = move(2, 1, 3), move(2, 3, 2)  # disk 1 on peg 2, then on peg 1
    target = f"OUTPUT {first['action']}\nOUTPUT {second['action']}"
    own = effect([[1, 2], [2, 1]], [[2, 2]], [first["action"], second["action"]], actions=2)
    assert composed(explored, {FIRST: target}, [own], [first, second], claim(actions=2)) == told


@pytest.mark.parametrize("memory", ["pda", "tape"])
def test_a_prompt_that_leads_to_itself_is_refused(explored, memory):
    window = FIRST.removeprefix("INSTR ")
    if memory == "pda":
        own = effect([], [], then=[0], actions=0, steps=1)
        told = composed(explored, {FIRST: f"PUSH {window}"}, [own], [])
    else:
        target = f"APPEND[NEXT_ID] {window} prev=prev\nPTR=NEXT_ID NEXT_ID=NEXT_ID+1"
        told = explored({f"{FIRST} prev=prev": target}, [claim()], memory="tape", dialect="hanoi/linked/symbolic")
    assert "leads to itself" in told


def test_runs_on_a_stack_are_followed(explored):
    def told(target, problem="start=[P2, P1] & goal=[P1, P2]", actions=2):
        prompt = f"CALL instruction {problem.replace('start', 'state')}"
        claims = [claim(problem, actions)]
        return explored({prompt: target}, claims, domain="pancake", dialect="pancake/stack")

    good = "OUTPUT Flip from where P1 is located.\nOUTPUT Flip from where P1 must be located."
    assert told(good) == "accepted"
    assert "is not solved" in told(good.splitlines()[0], actions=1)
    assert "illegal action in step 1" in told(good.replace("P1", "P9"))
    assert "other counts" in told(good, actions=1)
    assert "no problem" in told(good, problem="start=[P2, P1] & goal=[P2, P1]")
    assert "no action" in told(good + "\nState after first flip: [P1")
    assert "coc would not accept" in told(good + "\nPUSH CALL instruction state=[P2] & goal=[P1].")


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("OUTPUT Move block B2\nWRITE CALL rearrange.2 AT B1", "accepted"),
        (
            "OUTPUT Move block B2\nWRITE B1: below=-\nWRITE B2: below=- goal_above=-\nWRITE CALL rearrange.2 AT B1",
            "accepted",
        ),
        ("OUTPUT Move block B2\nWRITE CALL rearrange.2 AT B1\nWRITE CALL rearrange.2 AT B1", "takes more steps"),
        ("OUTPUT Move block B9\nWRITE CALL rearrange.2 AT B1", "has another name"),
        ("OUTPUT Move block B2\nOUTPUT Move block B2", "other counts"),
        ("WRITE CALL rearrange.1 goal=B1 AT B2", "takes more steps"),
        ("OUTPUT Throw block B2", "no action"),
        ("WRITE CALL juggle AT B1", "no instruction"),
        ("WRITE B2: below=moon", "no instruction"),
        ("WRITE B2: goal_above=- below=-", "no instruction"),
        ("WRITE B2: below=B1\nOUTPUT Move block B2\nWRITE CALL rearrange.2 AT B1", "has no rule"),
    ],
)
def test_runs_on_a_heap_are_followed(explored, target, reason):
    rules = {HEAP: target, "CALL rearrange.2 AT B1: below=- next_tower=- goal_above=-": "OUTPUT Move block B1"}
    claims = [claim("start=[B1] & goal=[B1]", 2, 2, window=WINDOW)]
    assert reason in explored(rules, claims, domain="blocksworld", memory="heap", dialect="blocksworld/heap-2/symbolic")
