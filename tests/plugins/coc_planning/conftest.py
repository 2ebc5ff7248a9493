import pytest

from coc_core.plugin import DomainSpec, Registry
from coc_planning.lifted import written_domain, written_problem
from coc_planning.models import MODELS
from tests.support.reworded_pddl import problem_of


@pytest.fixture
def files(tmp_path):
    """Writes a problem of a domain in PDDL to two files; gives their paths."""

    def write(name, n, seed=0):
        model = next(model for model in MODELS if model.domain == name)
        _, lifted, facts = problem_of(Registry.installed().create(DomainSpec, name), model, n, seed)
        domain, problem = tmp_path / f"{name}-domain.pddl", tmp_path / f"{name}-{n}.pddl"
        domain.write_text(written_domain(lifted))
        problem.write_text(written_problem(lifted, facts, "p"))
        return domain, problem

    return write
