"""Where in a plugin an exception arose."""

from coc_core.plugin import DISTRIBUTION, Plugin, load
from coc_core.plugin.loading import loaded

STRANGER = Plugin("late", "pack.mod:hooks", "stranger", "1.0")


def running(name, text="1 / 0"):
    """Code that runs in a module of this name."""
    return lambda: exec(compile(text, "somewhere.py", "exec"), {"__name__": name})


def test_the_place_is_the_innermost_in_the_plugins_package():
    broken = loaded(STRANGER, running("pack.other.deep"))
    assert (broken.specs, broken.error) == ((), "ZeroDivisionError: division by zero")
    assert broken.where == "somewhere.py:1 in <module>"
    whole = Plugin("late", "pack:hooks", "stranger", "1.0")
    assert loaded(whole, running("pack.other")).where == broken.where
    for name in ("packs.mod", "mod", "pack:mod"):
        assert loaded(STRANGER, running(name)).where == ""

    def wrapped():
        try:
            running("pack.other")()
        except ZeroDivisionError as error:
            raise ValueError("so") from error

    assert loaded(STRANGER, wrapped).where == broken.where


def test_a_failure_says_where_it_arose_if_that_is_known():
    broken = Plugin("late", "late", "stranger", "1.0", error="it broke")
    assert broken.failure == "the plugin 'late' of stranger failed to load: it broke"
    placed = Plugin("late", "late", "stranger", "1.0", error="it broke", where="x.py:3 in f")
    assert placed.failure == "the plugin 'late' of stranger failed to load: it broke; raised at x.py:3 in f"
    assert Plugin("late", "late", "stranger", "1.0").failure == ""


def test_a_plugin_of_ours_that_breaks_is_reported_too_and_one_that_works_has_no_place(entry_point):
    broken, works, stranger = load(
        [
            entry_point("cracked", "tests.broken.raises_at_import", DISTRIBUTION),
            entry_point("hanoi", "coc_puzzles.hanoi", DISTRIBUTION),
            entry_point("thief", "tests.broken.takes_hanoi"),
        ]
    )
    assert broken.error.startswith("RuntimeError: the sky is falling")
    assert "raises_at_import.py:" in broken.where
    assert (works.error, works.where, stranger.error, stranger.where) == ("", "", "", "")
