"""The memory that a model may take: a default, what the environment allows instead, and a refusal that says both."""

import pytest

from coc_core.errors import ArtefactError, UsageError
from coc_doors.hub.memory import VARIABLE, check_memory, memory_budget
from tests.support.for_each import for_each

MIB = 1 << 20


@pytest.mark.parametrize(
    ("value", "budget"),
    [(None, 1024 * MIB), ("", 1024 * MIB), ("1MiB", MIB), ("512MiB", 512 * MIB), ("40GiB", 40 * 1024 * MIB)],
)
def test_the_environment_sets_the_budget(monkeypatch, value, budget):
    monkeypatch.delenv(VARIABLE, raising=False)
    if value is not None:
        monkeypatch.setenv(VARIABLE, value)
    assert memory_budget() == budget
    check_memory(budget, "it")
    with pytest.raises(ArtefactError):
        check_memory(budget + 1, "it")


@for_each("value", ["4", "4gib", "4 GiB", "4GiB\n", "0GiB", "4.5GiB", "٣GiB", "9999999999MiB", "\x1b[2J"])
def test_any_other_spelling_is_a_usage_error(monkeypatch, value):
    monkeypatch.setenv(VARIABLE, value)
    with pytest.raises(UsageError, match=r"COC_MODEL_MEMORY=.* is not an amount of memory; write it as") as caught:
        check_memory(1, "it")
    assert str(caught.value).isprintable()


def test_what_is_refused_can_be_allowed_as_the_line_says(monkeypatch):
    monkeypatch.setenv(VARIABLE, "2MiB")
    with pytest.raises(ArtefactError) as caught:
        check_memory(2500 * MIB + 1, "it")
    assert str(caught.value) == (
        "it needs 2,501 MiB of memory, and 2 MiB are allowed; set COC_MODEL_MEMORY=2501MiB to allow it"
    )
    monkeypatch.setenv(VARIABLE, "2501MiB")
    check_memory(2500 * MIB + 1, "it")
