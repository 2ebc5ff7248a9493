import pytest
from toys import Scripted

from coc_core.plugin import attribution


def test_the_plugin_whose_code_raised_an_error_is_named(entry_point, monkeypatch):
    monkeypatch.setattr(attribution, "installed", lambda: (entry_point("rogue", "toys:Queue"),))
    with pytest.raises(KeyError) as theirs:
        Scripted(KeyError("gone")).complete(["prompt"])
    with pytest.raises(ZeroDivisionError) as ours:
        _ = 1 / 0
    assert attribution.plugin_at_fault(theirs.value) == "'rogue' of stranger"
    assert attribution.plugin_at_fault(ours.value) is None


def test_the_frame_is_that_of_the_error_or_of_its_cause(entry_point, monkeypatch):
    monkeypatch.setattr(attribution, "installed", lambda: (entry_point("rogue", "toys:Queue"),))
    with pytest.raises(KeyError) as theirs:
        Scripted(KeyError("gone")).complete(["prompt"])
    with pytest.raises(ValueError, match="wrapped") as wrapped:
        raise ValueError("wrapped") from theirs.value
    place = attribution.plugin_frame(theirs.value)
    assert "toys.py:" in place
    assert attribution.plugin_frame(wrapped.value) == place
    assert attribution.plugin_frame(ZeroDivisionError()) is None
