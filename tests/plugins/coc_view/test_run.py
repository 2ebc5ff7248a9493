"""A run in memory and a run in a file have the same page."""

import json
import re

import pytest

from coc_core.execution import Sequential
from coc_core.plugin import Registry
from coc_core.runfile import Manifest, RunFile
from coc_core.setting import Setting
from coc_core.types import Fault
from coc_view.recorded_run import RecordedRun
from coc_view.run import facts_of, render_run
from tests.support.saved_runs import beginning, saved


def solved(memory):
    """A setting, a problem, and the records and the outcome of its run."""
    setting = Setting.of(Registry.installed(), "hanoi", memory, "symbolic")
    problem = setting.domain.problem(3)
    machine = setting.machine(problem, [lambda record: records.append(record)])
    records = [beginning(machine)]
    (outcome,) = Sequential().run([machine], setting.model("reference"))
    return setting, problem, records, outcome


def data(page):
    return json.loads(re.search(r'<script type="application/json" id="run">(.*?)</script>', page)[1])


@pytest.mark.parametrize("memory", ["pda", "tape"])
def test_a_run_in_memory_has_the_page_of_its_file(tmp_path, memory):
    setting, problem, records, outcome = solved(memory)
    manifest = Manifest.of(
        setting, problem, setting.model("reference"), executor="sequential", model="reference", seed=0
    )
    with RunFile.open(saved(tmp_path / "a.run", memory=memory)) as runfile:
        recorded = RecordedRun(Registry.installed(), runfile)
        page = recorded.render(0, recorded.last)
        assert render_run(setting, problem, records, outcome, facts_of(manifest)) == page
        assert recorded.render(0, recorded.last) == page


def test_records_are_read_as_they_come():
    setting, problem, records, outcome = solved("tape")

    def running():
        seen = []
        machine = setting.machine(problem, [seen.append])
        yield beginning(machine)
        model = setting.model("reference")
        while (prompt := machine.peek()) is not None:
            machine.step(*model.complete([prompt]))
            yield seen.pop()

    assert render_run(setting, problem, running(), outcome, {}) == render_run(setting, problem, records, outcome, {})


def test_a_part_of_a_run_that_has_not_ended():
    setting, problem, records, _ = solved("pda")
    shown = data(render_run(setting, problem, records[2:5], None, {"model": "\x1b[31m"}))
    assert (shown["outcome"], shown["first_step"], shown["steps"]) == ("unfinished", 2, 4)
    assert shown["facts"] == [["model", "\\x1b[31m"]]
    assert data(render_run(setting, problem, records[2:5], None, {}, steps=9))["steps"] == 9


def test_a_fault_is_made_visible():
    setting, problem, records, _ = solved("pda")
    fault = Fault(5, "protocol", "no \u202e", "\x00</script>", 3)
    shown = data(render_run(setting, problem, records[:5], None, {}, fault=fault))
    assert shown["fault"] == {
        "step": 5,
        "kind": "protocol",
        "message": "no \\u202e",
        "text": "\\x00</script>",
        "offset": 3,
    }
