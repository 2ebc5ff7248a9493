"""The items, and what their trainings differ in, by items' names."""

import tomllib
from importlib.resources import files
from typing import Any

TRAININGS: dict[str, Any] = tomllib.loads(files(__package__).joinpath("trainings.toml").read_text("utf-8"))
