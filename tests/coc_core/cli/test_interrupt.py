import signal

import pytest

from coc_core.cli.interrupt import interruptible
from tests.support.machines import machine, solve


def test_the_first_interrupt_ends_the_run_after_its_step():
    def listen(record):
        if record.step == 4:
            signal.raise_signal(signal.SIGINT)

    subject = machine(listeners=[listen])
    with interruptible(subject.interrupt):
        outcome = solve(subject)
    assert (outcome.status, outcome.steps) == ("interrupted", 4)


def test_the_second_interrupt_is_immediate_and_afterwards_all_is_as_it_was():
    subject, before = machine(), signal.getsignal(signal.SIGINT)
    with interruptible(subject.interrupt):
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert subject.status == "interrupted"
    assert signal.getsignal(signal.SIGINT) is before


def test_an_interrupt_that_is_ignored_stays_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        subject = machine()
        with interruptible(subject.interrupt):
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
            signal.raise_signal(signal.SIGINT)
            assert solve(subject).status == "solved"
    finally:
        signal.signal(signal.SIGINT, before)
