"""Checks of a program: it does what it does in Python, and its finitely many prompts may be long."""

from tests.support.program_plugin import write_program

IN_PYTHON = (
    "class Card(Record):",
    """def in_python() -> bool:
    frame = sys._getframe()
    while frame and frame.f_code.co_name != "_advance":
        frame = frame.f_back
    return frame is None


class Card(Record):""",
)
IMPORT = ("import random\n", "import random\nimport sys\n")
MARKED = ('    next: "Card | None" = None', '    next: "Card | None" = None\n    mark: bool = False')


def found(coc, plugin, check):
    done = coc("check", "cards", "--plugin", plugin, "--only", check)
    return done.code, " ".join(done.out.split())


def test_a_program_that_does_something_else_in_python_is_found(coc, tmp_path):
    acts = write_program(
        tmp_path, IMPORT, IN_PYTHON, ("right.value < value:", "right.value < value and not in_python():")
    )
    code, told = found(coc, acts, "goal_is_reached")
    assert (code, "the compiled program gives [Swap(card=C" in told) == (4, True), told
    marks = ("        pass\n", "        pass\n    yield write(first, mark=in_python())\n")
    writes = write_program(tmp_path, IMPORT, IN_PYTHON, MARKED, marks)
    code, told = found(coc, writes, "goal_is_reached")
    assert (code, "the run ends with (" in told) == (4, True), told
    assert found(coc, write_program(tmp_path, MARKED), "goal_is_reached")[0] == 0


def test_prompts_of_finitely_many_kinds_are_short_enough(coc, tmp_path):
    long = write_program(tmp_path, ("swapped", f"swapped{'_' * 100}"))
    assert found(coc, long, "prompts_are_short")[0] == 0
