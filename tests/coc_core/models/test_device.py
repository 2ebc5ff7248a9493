from coc_core.models import on_device, requested_device


def test_the_caller_asks_for_a_device_for_a_while_and_else_the_environment(monkeypatch):
    monkeypatch.delenv("COC_DEVICE", raising=False)
    assert requested_device() is None
    monkeypatch.setenv("COC_DEVICE", "")
    assert requested_device() is None
    monkeypatch.setenv("COC_DEVICE", "cuda:1")
    with on_device("cpu"):
        assert requested_device() == ("cpu", "device 'cpu'")
    assert requested_device() == ("cuda:1", "COC_DEVICE='cuda:1'")
