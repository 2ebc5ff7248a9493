"""The trained model in the loop: step for step what the policy does."""

import json

import pytest

from coc_core.cli import main
from coc_core.execution import Cached, Sequential
from coc_core.memories import Reference
from coc_core.plugin import Registry
from coc_core.setting import Setting


@pytest.fixture(scope="module", params=["pda", "tape"])
def setting(request):
    return Setting.of(Registry.installed(), "hanoi", request.param, "symbolic")


@pytest.fixture(scope="module")
def trained(setting):
    return setting.model()


def trace(setting, n, model, executor):
    commits = []
    (outcome,) = executor.run([setting.machine(setting.domain.problem(n), [commits.append])], model)
    assert outcome.status == "solved"
    return [(record.prompt, record.target) for record in commits]


@pytest.mark.parametrize("n", [1, 4, pytest.param(12, marks=pytest.mark.slow)])
def test_the_trained_model_leaves_the_trace_of_the_reference_also_asked_at_each_step(setting, trained, n):
    found = trace(setting, n, trained, Cached())
    assert found == trace(setting, n, Reference(setting.convention), Cached())
    assert n > 4 or found == trace(setting, n, trained, Sequential())


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
