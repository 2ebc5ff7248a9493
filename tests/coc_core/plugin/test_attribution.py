import pickle

import pytest

from coc_core.errors import PluginError, UsageError
from coc_core.plugin import attribution
from coc_workers.pool import attributed


def raised_in(**names):
    """The exception of code whose module has these names, such as `__name__`."""
    code = compile("1 / 0", "somewhere.py", "exec")
    with pytest.raises(ZeroDivisionError) as caught:
        exec(code, names)
    return caught.value


@pytest.fixture
def rogue(entry_point, monkeypatch):
    """An exception out of the module of a third-party plugin."""
    monkeypatch.setattr(attribution, "installed", lambda: (entry_point("rogue", "stranger_parts:Queue"),))
    return raised_in(__name__="stranger_parts")


def test_the_frame_is_that_of_the_error_or_of_its_cause(rogue):
    with pytest.raises(ValueError, match="wrapped") as wrapped:
        raise ValueError("wrapped") from rogue
    place = attribution.plugin_frame(rogue)
    assert place == "somewhere.py:1 in <module>"
    assert attribution.plugin_frame(wrapped.value) == place
    assert attribution.plugin_frame(ZeroDivisionError()) is None
    assert attribution.plugin_at_fault(wrapped.value) is None


def test_every_module_of_a_plugins_package_is_the_plugins(entry_point, monkeypatch):
    points = (entry_point("rogue", "stranger_parts.hooks:Hooks"), entry_point("calm", "calm_parts", "calm-dist"))
    points += (entry_point("odd", "XXXX"),)
    monkeypatch.setattr(attribution, "installed", lambda: points)
    for name in ("stranger_parts", "stranger_parts.hooks", "stranger_parts.inner.deep"):
        assert attribution.plugin_at_fault(raised_in(__name__=name)) == "'rogue' of stranger"
    assert attribution.plugin_at_fault(raised_in(__name__="calm_parts.x")) == "'calm' of calm-dist"
    for name in ("stranger", "stranger_parts_too", "hooks", "calm", ""):
        assert attribution.plugin_at_fault(raised_in(__name__=name)) is None
    assert attribution.plugin_at_fault(raised_in()) is None


def without_frames(error):
    """The error as it is in another process."""
    return pickle.loads(pickle.dumps(error))


def test_the_plugin_and_the_place_are_known_in_another_process(rogue):
    with (
        pytest.raises(PluginError, match="the plugin 'rogue' of stranger raised ZeroDivisionError: division") as theirs,
        attributed(),
    ):
        raise rogue
    with pytest.raises(PluginError, match="already") as named, attributed():
        raise PluginError("already named", remedy="none") from theirs.value.__cause__
    for error in (theirs.value, named.value):
        assert "somewhere.py:1" in attribution.plugin_frame(error)
        assert attribution.plugin_frame(without_frames(error)) == attribution.plugin_frame(error)
    assert without_frames(named.value).remedy == "none"


@pytest.mark.parametrize(
    "error", [UsageError("not so", remedy="so"), ZeroDivisionError("ours"), PluginError("nowhere")]
)
def test_other_errors_are_let_through_as_they_are(error):
    with pytest.raises(type(error)) as caught, attributed():
        raise error
    assert caught.value is error
    assert attribution.plugin_frame(without_frames(error)) is None
