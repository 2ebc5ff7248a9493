import pytest


@pytest.fixture
def fakes(with_plugins):
    """Models that fail on purpose, and a backend that learns by heart."""
    with_plugins(("fake", "tests.support.fake_plugin"))
