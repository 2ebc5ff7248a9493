"""An option is stated once: by keyword and on the command line it takes the same values, and refuses the same."""

from inspect import signature
from pathlib import Path

import pytest
import typer
from attrs import frozen

import coc_core as coc
from coc_core.cli.app import app
from coc_core.errors import UsageError
from coc_core.models import requested_device
from coc_core.options import File, Flag, Name, Option, RunOptions, Several, Whole, given, option, options_of, takes
from coc_learn.measure.shards import EvalOptions
from coc_learn.options import TrainOptions
from coc_planning.validation import ValidateOptions
from tests.support.for_each import for_each

FUNCTIONS = [
    (coc.run, RunOptions),
    (coc.evaluate, EvalOptions),
    (coc.train, TrainOptions),
    (coc.validate, ValidateOptions),
]
COMMANDS = [("run", RunOptions), ("eval", EvalOptions), ("train", TrainOptions), ("validate", ValidateOptions)]


@frozen(kw_only=True)
class Bake:
    """A cake."""

    flour: int = option(Option("Take N grams.", ("--flour",), Whole(1)))
    eggs: int = option(Option("Take N eggs.", ("--eggs", "-e"), Whole(0, 12)), 2)
    toppings: tuple[Path, ...] = option(Option("Put this on it.", ("--on",), Several(kind=File())), ())
    hot: bool = option(Option("Serve it hot.", ("--hot",), Flag()), False)
    device: str | None = option(Option("Bake it here.", ("--device",)), None)


@takes(Bake, "flour")
def bake(options, guests=1):
    """Bake a cake.

    Args:
        guests: How many eat it.

    Raises:
        UsageError: There are too few eggs.
    """
    return options, guests, requested_device()


def test_a_function_takes_its_options_by_keyword_and_the_first_by_place():
    assert bake(100) == (Bake(flour=100), 1, None)
    made, guests, device = bake(100, eggs=3, toppings="cherries", guests=4, device="cpu")
    assert (made, guests) == (Bake(flour=100, eggs=3, toppings=[Path("cherries")], device="cpu"), 4)
    assert device[0] == "cpu"
    assert requested_device() is None
    for arguments in ((), (100, 2)):
        with pytest.raises(TypeError):
            bake(*arguments)
    with pytest.raises(TypeError, match="unexpected keyword argument 'sugar'"):
        bake(100, sugar=1)


def test_its_signature_and_its_documentation_have_them():
    assert list(signature(bake).parameters) == ["flour", "eggs", "toppings", "hot", "device", "guests"]
    assert bake.__name__ == "bake"
    for line in ("    eggs: Take N eggs.", "    guests: How many eat it.", "Raises:"):
        assert line in bake.__doc__.splitlines()


def test_a_name_is_any_text_on_the_command_line():
    assert Name().read("hanoi") == "hanoi"


def test_what_was_given_is_what_differs():
    assert given(Bake(flour=1)) == {"flour": 1}
    assert given(Bake(flour=1, eggs=2, hot=True)) == {"flour": 1, "hot": True}


@for_each(
    ("values", "line"),
    [
        ({"flour": 0}, "Invalid value for '--flour': it must be at least 1, not 0."),
        ({"flour": 1, "eggs": 13}, "Invalid value for '--eggs' / '-e': it must be from 0 to 12, not 13."),
        ({"flour": 1, "eggs": False}, "Invalid value for '--eggs' / '-e': 'False' is not a whole number."),
        ({"flour": 1, "toppings": 3}, "Invalid value for '--on': '3' is not a path."),
        ({"flour": 10**18}, "Invalid value for '--flour': it must have at most 18 digits."),
        ({"flour": "100"}, "Invalid value for '--flour': '100' is not a whole number."),
    ],
)
def test_a_wrong_value_is_refused_in_one_line(values, line):
    with pytest.raises(UsageError) as caught:
        Bake(**values)
    assert str(caught.value) == line


@for_each(("function", "record"), FUNCTIONS)
def test_the_front_door_takes_every_option(function, record):
    assert {each.name for each in options_of(record)} <= signature(function).parameters.keys()


@for_each(("name", "record"), COMMANDS)
def test_so_does_the_command_line(name, record):
    command = typer.main.get_command(app).get_command(None, name)
    assert {each.name for each in options_of(record)} <= {each.name for each in command.params}
