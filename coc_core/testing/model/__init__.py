"""Every check of a model, in the order in which their failures are best read."""

from collections.abc import Callable, Iterator

from coc_core.plugin import Registry
from coc_core.testing.check import Check, bound
from coc_core.testing.model import answering
from coc_core.testing.model.speaking import Speaking

CHECKS: tuple[Callable[[Speaking], None], ...] = (
    answering.every_prompt_is_answered,
    answering.calls_are_counted,
    answering.asking_again_agrees,
    answering.batches_agree,
    answering.order_is_kept,
    answering.drafts_change_nothing,
    answering.confirming_agrees,
    answering.what_is_asked_stays,
    answering.hostile_prompts_are_borne,
    answering.facts_are_texts,
    answering.answers_are_the_policys,
)


def model_checks(registry: Registry, name: str) -> Iterator[Check]:
    """The checks of the installed model `name`, or of the shipped checkpoint of that name.

    A backend that opens checkpoints is checked with all that ship. UsageError or PluginError if there is no such model,
    or no checkpoint for it.
    """
    subject = Speaking(registry, name)
    for check in CHECKS:
        if subject.trained or check is not answering.answers_are_the_policys:
            yield bound("model", name, check, subject)
