"""Every check of a domain, in the order in which their failures are best read."""

from collections.abc import Callable, Iterator

from coc_core.plugin import Registry
from coc_core.testing.check import Check, bound
from coc_core.testing.domain import policy, texts, world
from coc_core.testing.domain.subject import Subject

CHECKS: tuple[Callable[[Subject], None], ...] = (
    policy.names_are_plain,
    policy.seeds_decide,
    policy.bad_sizes_are_refused,
    policy.problems_are_listed_once,
    texts.problems_round_trip,
    texts.malformed_problems_are_refused,
    policy.goal_is_reached,
    policy.policy_is_deterministic,
    policy.each_text_has_one_rule,
    policy.settings_agree,
    policy.expectation_holds,
    policy.targets_are_clean,
    policy.prompts_stay_short,
    texts.instructions_round_trip,
    texts.emissions_round_trip,
    texts.equal_values_hash_alike,
    texts.malformed_texts_are_value_errors,
    world.states_are_values,
    world.states_share_nothing,
    world.illegal_actions_change_nothing,
    world.effects_tell_what_changes,
    world.moves_are_by_the_rules,
    world.no_plan_beats_the_optimum,
    world.pictures_can_be_drawn,
    policy.cases_are_judged,
)


def domain_checks(registry: Registry, name: str) -> Iterator[Check]:
    """The checks of the installed domain `name`; UsageError or PluginError if there is none."""
    subject = Subject(registry, name)
    for check in CHECKS:
        yield bound("domain", name, check, subject)
