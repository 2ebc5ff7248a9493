"""Problems and plans in PDDL: written by one run, and solved by another."""

import coc_core


def test_a_problem_is_written_in_pddl_and_solved_from_there(coc, refused, tmp_path):
    out, plan = tmp_path / "out", tmp_path / "plan"
    done = coc("run", "-d", "hanoi", "-n", 2, "--model", "reference", "--pddl-out", out)
    assert done.code == 0, done.err
    files = out / "domain.pddl", out / "problem.pddl"
    assert coc("run", "--pddl", *files, "--model", "reference", "--plan", plan).code == 0
    assert plan.read_bytes() == (out / "plan.pddl").read_bytes()
    assert "--pddl says which problem it is" in refused(2, "run", "--pddl", *files, "-n", 3)

    solution = coc_core.solve_pddl(*files, model="reference")
    assert (solution.status, solution.solved, list(solution.actions)) == ("solved", True, plan.read_text().splitlines())
    assert repr(solution) == "<PddlSolution: hanoi, solved, 3 actions>"
    solution.write(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == plan.read_bytes()
