"""Comparing the targets of a dataset with those of the reference model."""

from collections.abc import Iterator

from coc_core.datasets.audit import Dataset, Row
from coc_core.datasets.card import CARD, file_name
from coc_core.errors import ArtefactError, UsageError
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_core.text import described, message_of, quoted


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
        raise ArtefactError(f"{where} says {card.dialect!r}, but its setting speaks {setting.convention.dialect!r}")
    return setting


def verify_dataset(dataset: Dataset, setting: Setting) -> Iterator[Row]:
    """The audited rows of a dataset, each compared with the reference model's target.

    Raises:
        ArtefactError: At the first prompt that is not of the setting's dialect, or the first target that differs; it
            names the file and line. Also as for `Dataset.rows`.
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
