"""Comparing a dataset with what its card says: the targets are the reference model's, and the rows are those drawn."""

from collections.abc import Container, Iterator

from coc_core.errors import ArtefactError, PluginError, UsageError
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_core.text import described, message_of, quoted
from coc_learn.datasets.audit import Dataset, Row
from coc_learn.datasets.card import CARD, SubsetName, file_name
from coc_learn.datasets.pairs import held_out_indices
from coc_learn.datasets.spec import HoldOutBy, PairStream

_MOST_DRAWN = 200_000
_MOST_DRAWN_PER_BYTE = 10
"""The largest sum of the sizes of all problems, and what each byte of the rows adds to it. A problem that brings new
pairs stands in a row in full, so only problems that come again and again can have a larger sum.
"""


def setting_of(registry: Registry, dataset: Dataset) -> Setting:
    """The setting that a dataset's card names.

    Raises:
        ArtefactError: If there is no such setting, or it has another dialect than the card.
        PluginError: If the plugin of one of its parts is broken.
    """
    card, where = dataset.card, dataset.folder / CARD
    try:
        setting = Setting.of(registry, card.domain, card.memory, card.arith)
    except UsageError as error:
        raise ArtefactError(f"{where}: {error.message}") from None
    if setting.convention.dialect != card.dialect:
        raise ArtefactError(f"{where} says {card.dialect!r}, but its setting uses {setting.convention.dialect!r}")
    return setting


def verify_dataset(dataset: Dataset, setting: Setting) -> Iterator[Row]:
    """The audited rows of a dataset, each compared with the reference model's target.

    After the last one, the rows are compared with those that the card's spec draws.

    Raises:
        ArtefactError: At the first prompt that is not of the setting's dialect, the first target that differs, or the
            first row that the spec does not draw there; it names the file and line. Also as for `Dataset.rows`.
    """
    for row in dataset.rows():
        where = f"{dataset.folder / file_name(row.subset)}, line {row.line}"
        try:
            target = setting.convention.target_for(row.pair.prompt)
        except Exception as error:  # an untrusted prompt may parse and still break the policy
            reason = message_of(error) if isinstance(error, ValueError) else described(error)
            raise ArtefactError(f"{where}: not a prompt of {dataset.card.dialect}: {reason:.200}") from None
        if target != row.pair.target:
            raise ArtefactError(
                f"{where}: the target is {quoted(row.pair.target)}, but the reference model writes {quoted(target)}"
            )
        yield row
    _check_drawn(dataset, setting)


def _check_drawn(dataset: Dataset, setting: Setting) -> None:
    """Raise ArtefactError unless the rows are those that a build from the card's spec would write."""
    card, where = dataset.card, dataset.folder / CARD
    if not len(dataset):
        raise ArtefactError(f"{dataset.folder} holds no pairs")
    spec, size = card.spec, sum(subset.bytes for subset in card.files.values())
    each = spec.instances + spec.enumerated + spec.near_goal
    if each * sum(spec.sizes) > _MOST_DRAWN + _MOST_DRAWN_PER_BYTE * size:
        raise ArtefactError(f"{where} names far more problems than the rows can have come from")
    try:
        stream = PairStream(setting, spec)
        held = _held_out(dataset, stream)
        files: dict[SubsetName, Iterator[Row]] = {
            "train": _file(dataset, "train"),
            "heldout": _file(dataset, "heldout"),
        }
        for index, pair in enumerate(stream):
            subset: SubsetName = "heldout" if index in held else "train"
            row = next(files[subset], None)
            if row is None or row.pair != pair:
                line = f"line {row.line}" if row else "after its last line"
                raise ArtefactError(
                    f"{dataset.folder / file_name(subset)}, {line}: the problems that the card names have another row"
                    f" here, with the prompt {quoted(pair.prompt)}"
                )
        if stream.count != len(dataset) or stream.held_out() != held:
            raise ArtefactError(f"{where} does not name the problems that the last rows come from")
    except (UsageError, PluginError) as error:
        raise ArtefactError(f"{where} names problems that can't be drawn: {error.message}") from None


def _held_out(dataset: Dataset, stream: PairStream) -> Container[int]:
    """The indices of the held-out rows among all of them, in the order in which they are drawn."""
    card = dataset.card
    if card.spec.by is HoldOutBy.steps:
        return stream.held_out()  # known of each pair as soon as it is drawn
    if card.spec.by is HoldOutBy.instances:
        return range(card.subsets["train"].pairs, len(dataset))
    return held_out_indices(len(dataset), card.spec.holdout, card.spec.seed)


def _file(dataset: Dataset, subset: SubsetName) -> Iterator[Row]:
    return (Row(subset, line, pair) for line, pair in dataset.file(subset))
