"""What `coc new` writes: names, texts, and a folder that is written as a whole or not at all."""

import ast
import tomllib

import pytest
from hypothesis import example, given, settings, strategies as st

from coc_check.scaffold import KINDS, LONGEST, check_name, module_of, package_of, render
from coc_core.errors import UsageError
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY

good_names = st.from_regex(r"[a-z][a-z0-9]{0,4}(-[a-z0-9]{1,4}){0,5}", fullmatch=True)


@for_each("kind", KINDS)
@settings(max_examples=3)
@given(name=good_names)
@example("a" * LONGEST)
@example("my-thing")
def test_a_package_is_complete_and_its_texts_are_valid_for_every_name(kind, name):
    check_name(REGISTRY, f"x-{name}"[:LONGEST].rstrip("-"))
    files, module = render(kind, name), module_of(name)
    assert module.isidentifier()
    wanted = {"pyproject.toml", "README.md", ".gitignore", ".github/workflows/ci.yml", "tests/test_conformance.py"}
    assert wanted | {f"src/{module}/{each}" for each in ("__init__.py", f"{kind}.py", "py.typed")} <= files.keys()
    assert list(files) == sorted(files)
    for path, text in files.items():
        assert "{{" not in text
        assert "{%" not in text
        assert text == "" or (text.endswith("\n") and not text.endswith("\n\n"))
        if path.endswith(".py"):
            assert max(map(len, text.splitlines()), default=0) <= 120
            assert text == "" or path.startswith("tests/") or ast.get_docstring(ast.parse(text))
    project = tomllib.loads(files["pyproject.toml"])
    assert project["project"]["name"] == package_of(name) == f"coc-{name}"
    assert project["project"]["entry-points"]["coc"] == {name: module}
    assert any(wanted.startswith("chain-of-computation>=") for wanted in project["project"]["dependencies"])
    assert project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"] == [f"src/{module}"]
    for command in KINDS[kind]:
        assert f"{command.format(name=name)}\n" in files["README.md"]
    assert f"class {''.join(map(str.capitalize, name.split('-')))}" in files[f"src/{module}/{kind}.py"]


BAD = ["", "Rotor", "2048", "-x", "x-", "a--b", "a_b", "a b", "é", "٣", "a\n", "../x", "class", "x" * (LONGEST + 1)]
TAKEN = ["hanoi", "tape", "inline", "cached", "reference", "hanoi-pda", "numpy"]


@for_each("name", [*BAD, *TAKEN])
def test_a_bad_name_or_one_that_is_taken_is_refused(name):
    bad, taken = (
        "is not a valid name; use lower-case letters",
        f"a part called '{name}' already exists; choose another name",
    )
    with pytest.raises(UsageError, match=taken if name in TAKEN else bad):
        check_name(REGISTRY, name)
