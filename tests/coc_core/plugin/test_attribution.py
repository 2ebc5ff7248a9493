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


def raised_in(**names):
    """The exception of code whose module has these names, such as `__name__`."""
    code = compile("1 / 0", "somewhere.py", "exec")
    with pytest.raises(ZeroDivisionError) as caught:
        exec(code, names)
    return caught.value


def test_every_module_of_a_plugins_package_is_the_plugins(entry_point, monkeypatch):
    points = (entry_point("rogue", "stranger_parts.hooks:Hooks"), entry_point("calm", "calm_parts", "calm-dist"))
    monkeypatch.setattr(attribution, "installed", lambda: points)
    for name in ("stranger_parts", "stranger_parts.hooks", "stranger_parts.inner.deep"):
        assert attribution.plugin_at_fault(raised_in(__name__=name)) == "'rogue' of stranger"
    assert attribution.plugin_at_fault(raised_in(__name__="calm_parts.x")) == "'calm' of calm-dist"
    for name in ("stranger", "stranger_parts_too", "hooks", "calm", ""):
        assert attribution.plugin_at_fault(raised_in(__name__=name)) is None


def test_code_without_a_module_is_no_plugins(entry_point, monkeypatch):
    monkeypatch.setattr(attribution, "installed", lambda: (entry_point("odd", "XXXX"),))
    assert attribution.plugin_at_fault(raised_in()) is None
