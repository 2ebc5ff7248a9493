"""The certificate of every shipped model goes through its checker."""

from pathlib import Path

import pytest

from coc_learn.addresses.dialect import ADDRESS_DIALECT
from coc_programs import Program
from tests.support.bare_python import run_here
from tests.support.shipped_checkpoints import SPOKEN, setting_of

EXAMPLES = Path(__file__).parents[2] / "examples"
OF_PROGRAMS = {
    dialect
    for dialect in SPOKEN.keys() - {ADDRESS_DIALECT}
    if "/heap" in dialect and isinstance(setting_of(dialect).domain, Program)
}
OF_RUNS = {"hanoi/stack", "hanoi/linked/symbolic", "blocksworld/stack", "pancake/stack"}
"""The other dialects that a checker knows."""


@pytest.fixture
def checked(coc, tmp_path):
    """Certifies the shipped model of a dialect, and checks the certificate."""

    def check(dialect, checker):
        setting, path = setting_of(dialect), tmp_path / "certificate"
        arith = {"symbolic": "symbolic", "numeric": "inline"}[setting.convention.notation]
        smallest = setting.domain.sizes[0]
        which = ["-d", setting.domain.name, "-m", setting.memory.name, "-a", arith]
        sizes = f"{smallest}-{smallest + 2}" if smallest == 1 else smallest
        done = coc("certify", *which, "-n", sizes, "--instances", 2, "--split", "all", "--no-bounds", "-o", path)
        assert done.code == 0, done.err
        return done.out, run_here([EXAMPLES / f"{checker}.py", path, SPOKEN[dialect][1]])

    return check


def say_the_same(told, checked):
    """Whether coc and the checker state the prompts, the kinds and what goes wrong in the program in the same words."""
    code, line = checked
    assert code == 0, line
    *_, stated = told.splitlines()[0].partition(", ")
    assert stated.partition("; smallest")[0] == line.partition(", ")[2].partition("; computed")[0]
    return True


@pytest.mark.parametrize("dialect", ["blocksworld/heap-2/symbolic", "maze-dfs/heap/symbolic", "sort/heap/symbolic"])
def test_a_certificate_of_a_program_is_accepted(checked, dialect):
    assert say_the_same(*checked(dialect, "check_program_certificate"))


@pytest.mark.slow
@pytest.mark.parametrize("dialect", sorted(OF_PROGRAMS))
def test_every_certificate_of_a_program_is_accepted(checked, dialect):
    assert say_the_same(*checked(dialect, "check_program_certificate"))


@pytest.mark.slow
@pytest.mark.parametrize("dialect", sorted(SPOKEN.keys() - {ADDRESS_DIALECT} - OF_PROGRAMS))
def test_every_other_certificate_is_accepted_or_of_a_setting_that_the_checker_does_not_know(checked, dialect):
    code, line = checked(dialect, "check_certificate")[1]
    known = "refused: this checker does not know the setting"
    assert (code, line) == (1, known) if dialect not in OF_RUNS else code == 0, line
