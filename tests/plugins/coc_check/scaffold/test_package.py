"""What `coc new` writes: names, texts, and a folder that is written as a whole or not at all."""

import ast
import tomllib

import pytest
from hypothesis import example, given, settings, strategies as st

from coc_check.scaffold import KINDS, LONGEST, check_name, module_of, package_of, render
from coc_core.errors import UsageError
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY

EVERY_KIND = pytest.mark.parametrize("kind", KINDS)
good_names = st.from_regex(r"[a-z][a-z0-9]{0,4}(-[a-z0-9]{1,4}){0,5}", fullmatch=True)


@EVERY_KIND
def test_a_package_is_complete(kind):
    files = render(kind, "my-thing")
    assert {"pyproject.toml", "README.md", ".gitignore", ".github/workflows/ci.yml"} <= files.keys()
    assert {f"src/coc_my_thing/{name}" for name in ("__init__.py", f"{kind}.py", "py.typed")} <= files.keys()
    assert "tests/test_conformance.py" in files
    assert list(files) == sorted(files)
    project = tomllib.loads(files["pyproject.toml"])
    assert project["project"]["name"] == "coc-my-thing"
    assert project["project"]["entry-points"]["coc"] == {"my-thing": "coc_my_thing"}
    assert any(wanted.startswith("chain-of-computation>=") for wanted in project["project"]["dependencies"])
    assert project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"] == ["src/coc_my_thing"]
    for command in KINDS[kind]:
        assert f"{command.format(name='my-thing')}\n" in files["README.md"]
    assert files[f"src/coc_my_thing/{kind}.py"].count("class MyThing") >= 1


@pytest.mark.slow
@EVERY_KIND
@settings(max_examples=20)
@given(name=good_names)
@example("a" * LONGEST)
def test_the_texts_are_valid_for_every_name(kind, name):
    files = render(kind, name)
    for path, text in files.items():
        assert "{{" not in text
        assert "{%" not in text
        assert text == "" or (text.endswith("\n") and not text.endswith("\n\n"))
        if path.endswith(".py"):
            assert max(map(len, text.splitlines()), default=0) <= 120
            ast.parse(text)
            assert text == "" or path.startswith("tests/") or ast.get_docstring(ast.parse(text))
    project = tomllib.loads(files["pyproject.toml"])
    assert project["project"]["entry-points"]["coc"] == {name: module_of(name)}


@given(name=good_names)
def test_the_names_derived_from_a_valid_name_are_valid(name):
    check_name(REGISTRY, f"x-{name}"[:LONGEST].rstrip("-"))
    assert module_of(name).isidentifier()
    assert package_of(name).startswith("coc-")


@for_each(
    "name",
    ["", "Rotor", "2048", "-x", "x-", "a--b", "a_b", "a b", "é", "٣", "a\n", "../x", "class", "x" * (LONGEST + 1)],
)
def test_a_bad_name_is_refused(name):
    with pytest.raises(UsageError, match="is not a valid name; use lower-case letters"):
        check_name(REGISTRY, name)


@for_each("name", ["hanoi", "tape", "inline", "cached", "reference", "hanoi-pda", "numpy"])
def test_a_name_that_is_taken_is_refused(name):
    with pytest.raises(UsageError, match=f"a part called '{name}' already exists; choose another name"):
        check_name(REGISTRY, name)
