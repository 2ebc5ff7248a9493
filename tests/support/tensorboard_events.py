"""What TensorBoard reads from the event files of a folder."""

import pytest


def scalars(folder, **choices):
    """The steps and values of each tag, whole; `choices` are those of tensorboard's EventAccumulator."""
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    events = accumulator.EventAccumulator(str(folder), size_guidance={"scalars": 0}, **choices).Reload()
    return {tag: [(each.step, each.value) for each in events.Scalars(tag)] for tag in events.Tags()["scalars"]}
