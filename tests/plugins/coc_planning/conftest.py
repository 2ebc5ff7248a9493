import pytest

from coc_planning.models import MODELS
from tests.support.reworded_pddl import problem_of, write


@pytest.fixture
def files(tmp_path):
    """Writes a problem of a domain in PDDL to two files; gives their paths."""

    def of(name, n, seed=0):
        model = next(model for model in MODELS if model.domain == name)
        return write(tmp_path, *problem_of(model, n, seed)[1:], (f"{name}-domain.pddl", f"{name}-{n}.pddl"))

    return of


@pytest.fixture
def texts(tmp_path):
    """Writes a domain, a problem, and perhaps a plan to files; gives their paths."""

    def of(*several):
        paths = [tmp_path / name for name in ("d.pddl", "p.pddl", "plan")[: len(several)]]
        for path, text in zip(paths, several, strict=True):
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return paths

    return of
