import pytest

import coc_core.program
import coc_programs


def test_an_old_import_works_with_a_warning():
    with pytest.warns(FutureWarning, match="import Program from coc_programs"):
        from coc_core.program import Program
    assert Program is coc_programs.Program
    with pytest.raises(AttributeError):
        coc_core.program.__nothing__  # noqa: B018
