import pytest

from coc_core.models import on_device, requested_device


@pytest.fixture(autouse=True)
def nobody_asks(monkeypatch):
    monkeypatch.delenv("COC_DEVICE", raising=False)


def test_nobody_asks_for_a_device():
    assert requested_device() is None


def test_the_environment_asks(monkeypatch):
    monkeypatch.setenv("COC_DEVICE", "cuda:1")
    assert requested_device() == ("cuda:1", "COC_DEVICE='cuda:1'")
    monkeypatch.setenv("COC_DEVICE", "")
    assert requested_device() is None


def test_the_caller_asks_first_and_for_a_while(monkeypatch):
    monkeypatch.setenv("COC_DEVICE", "cuda:1")
    with on_device("cpu"):
        assert requested_device() == ("cpu", "device 'cpu'")
    assert requested_device() == ("cuda:1", "COC_DEVICE='cuda:1'")
