"""Shared by the tests of the front door: the command line is asked for the same thing, and must say the same."""

import pytest

from coc_core.errors import CocError


@pytest.fixture
def as_refused_by(coc):
    """Calls the front door with bad input: it raises what `coc` prints for the same input, with the same exit code."""

    def check(call, *arguments):
        with pytest.raises(CocError) as caught:
            call()
        done = coc(*arguments)
        assert done.err == f"coc: error: {caught.value}\n"
        assert done.code == caught.value.exit_code
        return str(caught.value)

    return check
