from build import machine
from toys import Scripted

from coc_core.execution import Sequential, StepRecord


def test_a_long_step_is_shown_on_a_line():
    records = []
    subject = machine("tape", "inline", listeners=[records.append])
    Sequential().run([subject], Scripted(then=subject.convention.target_for))
    for shown in (*records, *(record.detached().memory for record in records), subject.snapshot()):
        assert len(repr(shown)) < 250
    record = StepRecord(3, "p" * 100, "t", ("Move", "Move"), -1)
    assert repr(record) == "StepRecord(step=3, prompt='pppppppppppp...ppppppppppppp', target='t', 2 actions)"
