"""Recognising domains: every renaming is recognised, and whatever differs in one atom is not."""

import pytest

from coc_core.errors import UsageError
from coc_core.plugin import DomainSpec
from coc_planning.lifted import Facts, Lifted, Operator
from coc_planning.models import MODELS
from coc_planning.recognise import recognise
from coc_planning.translate import translate
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY
from tests.support.reworded_pddl import damaged, problem_of, rng_of, shuffled

BLOCKS, MOVED, HANOI, HANOI_4, PANCAKE, RIVER, STACKS, TOWERS = MODELS[:8]
READ = {model.domain: model for model in (BLOCKS, STACKS, HANOI, HANOI_4, PANCAKE, RIVER)} | {"blocks, moved": TOWERS}
"""Models that write problems, by the name of the domain that reads them."""


@for_each("name", READ)
@for_each("seed", range(12))
def test_other_names_and_orders_change_nothing(name, seed):
    model = READ[name]
    domain = REGISTRY.create(DomainSpec, model.domain)
    problem, lifted, facts = problem_of(domain, model, 4, seed)
    theirs, their_facts = shuffled(lifted, facts, rng_of(model.domain, seed))
    translated = translate(REGISTRY, theirs, their_facts)
    assert name.split(",")[0] == translated.domain
    reader = REGISTRY.create(DomainSpec, translated.domain)
    read = reader.problems.parse(translated.problem)
    assert reader.size(read) == domain.size(problem)
    again = translated.model.facts(read, reader.scene(reader.initial(read)))
    assert len(again.initial) == len(facts.initial)


@for_each("name", READ)
@for_each("seed", range(12))
def test_one_atom_makes_another_domain(name, seed):
    model = READ[name]
    domain = REGISTRY.create(DomainSpec, model.domain)
    _, lifted, facts = problem_of(domain, model, 4, seed)
    theirs, their_facts = shuffled(damaged(lifted, rng_of("damage", model.domain, seed)), facts, rng_of(seed))
    with pytest.raises(UsageError, match=r"coc does not know this domain; it is like .*, but its '.*' (has|lacks) the"):
        translate(REGISTRY, theirs, their_facts)


def test_the_difference_is_named():
    lifted = MODELS[0].lifted(None)
    pick_up = Operator.of("take ?x", "(clear ?x) (ontable ?x)", "(holding ?x)", "(clear ?x) (ontable ?x) (handempty)")
    theirs = Lifted.of("mine", pick_up, *lifted.operators[1:])
    assert list(recognise(theirs, lifted)) == []
    first = next(recognise(theirs, lifted, 1))
    assert [str(each) for each in first.differences] == ["its 'take' lacks the precondition (handempty)"]


def test_a_domain_like_no_other_is_refused_with_those_that_are_known():
    theirs = Lifted.of("lights", Operator.of("switch ?x", "(off ?x)", "(on ?x)", "(off ?x)"))
    with pytest.raises(
        UsageError, match=r"^coc does not know this domain; it is like .*, but its .*; it knows blocks, "
    ):
        translate(REGISTRY, theirs, Facts(("a",), frozenset(), ()))


def test_predicates_are_paired_one_to_one():
    one = Lifted.of("one", Operator.of("swap ?x ?y", "(p ?x)", "(p ?y)", "(p ?x)"))
    two = Lifted.of("two", Operator.of("swap ?x ?y", "(p ?x)", "(q ?y)", "(p ?x)"))
    assert [len(list(recognise(*pair))) for pair in [(one, one), (two, two), (one, two), (two, one)]] == [1, 1, 0, 0]


@for_each(
    ("one", "other"),
    [
        (("(p ?x) (q ?x)", "(r ?x)", "(p ?x)"), ("(p ?x) (q ?y)", "(r ?x)", "(p ?x)")),  # two variables, not one
        (("(p ?x)", "(q ?x)", "(p ?x)"), ("(p ?x)", "(p ?x)", "(q ?x)")),  # added, not deleted
        (("(p ?x)", "(q ?x)", "", "(q ?x)"), ("(q ?x)", "(q ?x)", "", "(p ?x)")),  # forbidden, not needed
    ],
)
def test_what_is_almost_alike_is_another_domain(one, other):
    first, second = (Lifted.of("one", Operator.of("act ?x ?y", *parts)) for parts in (one, other))
    assert [len(list(recognise(*pair))) for pair in [(first, first), (second, second)]] == [1, 1]
    assert list(recognise(first, second)) == list(recognise(second, first)) == []


def test_a_search_that_leads_nowhere_ends():
    """Many alike operators: their pairings are more than anybody can try."""
    alike = [Operator.of(f"a{k} ?x ?y ?z", "(p ?x ?y) (q ?y ?z)", "(p ?y ?z)", "(q ?x ?y)") for k in range(12)]
    other = [Operator.of(f"b{k} ?x ?y ?z", "(p ?x ?y) (q ?y ?z)", "(p ?y ?z)", "(q ?z ?y)") for k in range(12)]
    assert list(recognise(Lifted.of("a", *alike), Lifted.of("b", *other))) == []
