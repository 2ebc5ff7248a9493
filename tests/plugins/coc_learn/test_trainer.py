"""A trainer may tell the hyperparameters of its presets; one that does not tells none."""

from tests.support.fake_plugin import ParrotTrainer


def test_a_trainer_need_not_tell_its_hyperparameters() -> None:
    assert ParrotTrainer().hyperparameters("small", {}) == {}
