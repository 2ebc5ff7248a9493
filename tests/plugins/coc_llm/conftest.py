"""A server of the shipped Hanoi model, for all tests of this folder."""

import pytest

from tests.support.serve_process import serving


@pytest.fixture(scope="session")
def served_hanoi():
    """The name of the model behind the server, as `--model` takes it."""
    with serving("--model", "hanoi-pda") as server:
        yield f"openai:hanoi-pda,base_url=http://127.0.0.1:{server.port}/v1,api=completions"
