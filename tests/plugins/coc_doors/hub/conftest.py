"""A hub on this machine, whose client keeps its files in the folder of the test."""

import pytest
from huggingface_hub import close_session, constants

from coc_core.plugin import Registry
from coc_core.setting import checkpoint_folder
from tests.support import fake_hub


@pytest.fixture
def hub(monkeypatch, tmp_path):
    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_OIDC_RESOURCE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(constants, "HF_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(tmp_path / "token"))
    monkeypatch.setattr(constants, "HF_STORED_TOKENS_PATH", str(tmp_path / "tokens"))
    with fake_hub.hub() as found:
        monkeypatch.setattr(constants, "ENDPOINT", found.url)
        yield found
        close_session()


@pytest.fixture(scope="session")
def files():
    """The files of a checkpoint, by name."""
    folder = checkpoint_folder(Registry.installed(), "hanoi-pda")
    return {path.name: path.read_bytes() for path in folder.iterdir()}
