from coc_core.execution import Sequential, StepRecord
from tests.support.machines import machine
from tests.support.toy_parts import Scripted


def test_a_long_step_is_shown_on_a_line():
    records = []
    subject = machine("tape", "inline", listeners=[records.append])
    Sequential().run([subject], Scripted(then=subject.convention.target_for))
    for shown in (*records, *(record.detached().memory for record in records), subject.snapshot()):
        assert len(repr(shown)) < 250
    record = StepRecord(3, "p" * 100, "t", ("Move", "Move"), -1)
    assert repr(record) == "StepRecord(step=3, prompt='pppppppppppp...ppppppppppppp', target='t', 2 actions)"


def test_a_detached_record_keeps_the_memory_as_it_was():
    records, copies, windows = [], [], []
    subject = machine(listeners=[records.append])
    while not subject.memory.halted:
        subject.step(subject.convention.target_for(subject.peek()))
        copies.append(records[-1].detached())
        windows.append(tuple(subject.memory.windows()))
        assert records[-1].windows == subject.memory.windows()
        assert copies[-1][:-1] == records[-1][:-1]
    assert [copy.windows for copy in copies] == windows
    assert [copy.memory.pointer for copy in copies] == [record.pointer for record in records]
    assert len(set(windows)) > 1


def test_a_record_without_a_memory_has_no_windows():
    assert StepRecord(3, "p", "t", (), -1).windows == ()
