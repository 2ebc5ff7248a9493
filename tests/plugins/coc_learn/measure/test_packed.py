"""A packed plan has the contents of the file that would have been written."""

import gzip

from coc_core.execution import Sequential
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_learn.measure.ended import PlanPacker
from tests.support.for_each import for_each
from tests.support.plan_formats import PAIRS, form_of, solved, written


@for_each(("domain", "name"), PAIRS)
def test_it_unpacks_to_what_is_written(domain, name):
    problem, plan = solved(domain, 3, 1)
    packer = PlanPacker(form_of(domain, name, problem))
    setting = Setting.of(Registry.installed(), domain, None, "symbolic")
    machine = setting.machine(problem, [packer.listen])
    Sequential().run([machine], setting.model("reference"))
    assert gzip.decompress(packer.packed()).decode() == written(form_of(domain, name, problem), plan)
