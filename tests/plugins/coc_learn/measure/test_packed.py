"""A packed plan has the contents of the file that would have been written."""

import os

from coc_core.execution import Sequential, StepRecord
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_learn.measure.ended import PlanPacker, unpacked
from tests.support.for_each import for_each
from tests.support.plan_formats import PAIRS, form_of, solved, written


@for_each(("domain", "name"), PAIRS)
def test_it_unpacks_to_what_is_written(domain, name):
    problem, plan = solved(domain, 3, 1)
    packer = PlanPacker(form_of(domain, name, problem))
    setting = Setting.of(Registry.installed(), domain, None, "symbolic")
    machine = setting.machine(problem, [packer.listen])
    Sequential().run([machine], setting.model("reference"))
    assert b"".join(unpacked(packer.packed())).decode() == written(form_of(domain, name, problem), plan)


class Noise:
    """A format that can't be compressed."""

    opening = separator = closing = ""

    def write(self, state, action):
        return action


def test_a_long_plan_is_packed_and_unpacked_in_blocks():
    lines = [f"{os.urandom(600).hex()}\n" for _ in range(300)]
    packer = PlanPacker(Noise())
    for line in lines:
        packer.listen(StepRecord(1, "", "", (line,), 0))
    parts = list(unpacked(packer.packed()))
    assert b"".join(parts).decode() == "".join(lines)
    assert len(parts) > 5
    assert max(map(len, parts)) <= 1 << 16


def test_an_empty_plan():
    assert b"".join(unpacked(PlanPacker(Noise()).packed())) == b""
    assert b"".join(unpacked(b"")) == b""
