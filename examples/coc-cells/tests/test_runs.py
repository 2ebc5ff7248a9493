"""Every bundled domain runs on the cells, with the plan that it has on a tape, in as few cells as the README says."""

import pytest

from coc_cells.convention import CellsConvention
from coc_core.execution import Cached, Lockstep, Sequential, Speculative
from coc_core.plugin import Registry
from coc_core.setting import Setting

ARITHMETICS = ("inline", "symbolic")
CHAINS = ("blocksworld", "blocksworld-extended", "pancake")


def run(domain, memory, arith, n, executor=Cached):
    """The plan of a run, the steps it took, and the most windows that the memory held."""
    setting = Setting.of(Registry.installed(), domain, memory, arith)
    plan, most = [], 1

    def listen(record):
        nonlocal most
        plan.extend(map(setting.domain.actions.format, record.actions))
        if memory == "cells":
            most = max(most, len(record.windows))

    machine = setting.machine(setting.domain.problem(n), [listen])
    (outcome,) = executor().run([machine], setting.model("reference"))
    assert outcome.status == "solved", outcome
    return plan, outcome.steps, most


@pytest.mark.parametrize("arith", ARITHMETICS)
@pytest.mark.parametrize("n", range(1, 13))
def test_hanoi_needs_two_cells_a_disk(arith, n):
    plan, steps, most = run("hanoi", "cells", arith, n)
    assert (plan, steps) == run("hanoi", "tape", arith, n)[:2]
    assert most == 2 * n - 1


@pytest.mark.parametrize("arith", ARITHMETICS)
@pytest.mark.parametrize("domain", CHAINS)
def test_a_loop_needs_one_cell(domain, arith):
    for n in (5, 12):
        plan, steps, most = run(domain, "cells", arith, n)
        assert (plan, steps) == run(domain, "tape", arith, n)[:2]
        assert most == 1


@pytest.mark.parametrize("executor", [Sequential, Cached, Lockstep, Speculative])
def test_every_executor_can_use_them(executor):
    assert run("hanoi", "cells", "inline", 6, executor) == run("hanoi", "cells", "symbolic", 6)


@pytest.mark.parametrize(("domain", "n"), [("hanoi", 4), ("pancake", 8)])
def test_the_cells_shown_as_waiting_are_those_that_are_read_again(domain, n):
    setting = Setting.of(Registry.installed(), domain, "cells", "inline")
    machine = setting.machine(setting.domain.problem(n), [lambda record: seen.append((record.windows, record.pointer))])
    seen = [(machine.windows, 0)]
    Sequential().run([machine], setting.model("reference"))
    for step, (windows, pointer) in enumerate(seen):
        waiting = set()
        for cell, text in enumerate(windows):
            for later, place in seen[step:]:
                if later[cell] != text:
                    break
                if place == cell:
                    waiting.add(cell)
        assert set(setting.convention.layout.waiting_windows(windows, pointer)) == waiting


def targets(arith):
    setting = Setting.of(Registry.installed(), "hanoi", "cells", arith)
    assert isinstance(setting.convention, CellsConvention)
    return setting.convention


def test_the_texts_are_these():
    assert targets("inline").target_for("PTR=4 INSTR[4] CALL n=2 src=1 dst=3 aux=2") == (
        "WRITE[4] CALL n=1 src=2 dst=3 aux=1\nWRITE[5] MOVE d=2 src=1 dst=3\nWRITE[6] CALL n=1 src=1 dst=2 aux=3\nPTR=6"
    )
    assert (
        targets("inline").target_for("PTR=0 INSTR[0] MOVE d=2 src=1 dst=3") == "OUTPUT Move disk 2 from 1 to 3\nPTR=-1"
    )
    assert targets("symbolic").target_for("INSTR CALL n=2 src=1 dst=3 aux=2") == (
        "WRITE[PTR] CALL n=1 src=2 dst=3 aux=1\nWRITE[PTR+1] MOVE d=2 src=1 dst=3\n"
        "WRITE[PTR+2] CALL n=1 src=1 dst=2 aux=3\nPTR=PTR+2"
    )
    assert targets("symbolic").target_for("INSTR MOVE d=2 src=1 dst=3") == "OUTPUT Move disk 2 from 1 to 3\nPTR=PTR-1"


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("PTR=0", "loop"),
        ("WRITE[2] MOVE d=1 src=1 dst=3\nPTR=0", "address"),
        ("WRITE[0] MOVE d=1 src=1 dst=3\nPTR=x", "arithmetic"),
        ("WRITE[0] MOVE d=1 src=1 dst=3", "protocol"),
        ("", "protocol"),
    ],
)
def test_a_model_that_errs_makes_a_fault(answer, kind):
    setting = Setting.of(Registry.installed(), "hanoi", "cells", "inline")
    machine = setting.machine(setting.domain.problem(3))
    for _ in range(3):
        machine.step(answer)
    assert machine.fault is not None
    assert machine.fault.kind == kind
