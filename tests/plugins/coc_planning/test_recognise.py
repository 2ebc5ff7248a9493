"""Recognising domains: every renaming is recognised, and whatever differs in one atom is not."""

import pytest

from coc_core.errors import UsageError
from coc_core.plugin import DomainSpec
from coc_planning.lifted import Facts, Lifted, Operator
from coc_planning.models import MODELS
from coc_planning.recognise import Recognised, recognise
from coc_planning.translate import translate
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY
from tests.support.reworded_pddl import damaged, problem_of, rng_of, shuffled

BLOCKS, _, HANOI, HANOI_4, TOWERS = MODELS[:5]
READ = {model.domain: model for model in (BLOCKS, HANOI, HANOI_4)} | {"blocks, moved": TOWERS}
"""Models that write problems, by the name of the domain that reads them."""


@for_each("name", READ)
@for_each("seed", range(4))
def test_other_names_and_orders_change_nothing(name, seed):
    model = READ[name]
    domain = REGISTRY.create(DomainSpec, model.domain)
    problem, lifted, facts = problem_of(model, 4, seed)
    theirs, their_facts = shuffled(lifted, facts, rng_of(model.domain, seed))
    translated = translate(REGISTRY, theirs, their_facts)
    assert name.split(",")[0] == translated.domain
    reader = REGISTRY.create(DomainSpec, translated.domain)
    read = reader.problems.parse(translated.problem)
    assert reader.size(read) == domain.size(problem)
    again = translated.model.facts(read, reader.scene(reader.initial(read)))
    assert len(again.initial) == len(facts.initial)


@for_each("name", READ)
@for_each("seed", range(4))
def test_one_atom_makes_another_domain(name, seed):
    model = READ[name]
    _, lifted, facts = problem_of(model, 4, seed)
    theirs, their_facts = shuffled(damaged(lifted, rng_of("damage", model.domain, seed)), facts, rng_of(seed))
    with pytest.raises(UsageError, match=r"coc does not know this domain; it is like .*, but its '.*' (has|lacks) the"):
        translate(REGISTRY, theirs, their_facts)


def test_a_domain_like_no_other_is_refused_with_those_that_are_known():
    theirs = Lifted.of("lights", Operator.of("switch ?x", "(off ?x)", "(on ?x)", "(off ?x)"))
    with pytest.raises(UsageError, match=r"^coc does not know this domain; it knows blocks, "):
        translate(REGISTRY, theirs, Facts(("a",), frozenset(), ()))


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


def test_an_action_with_an_object_of_its_own_is_the_one_that_names_it():
    found = Recognised({}, {"stack": ("move", (1, 0, 2)), "to-table": ("move", (1, 0, "table"))})
    assert found.ours("move", ("x", "b", "table")) == ("to-table", ("b", "x"))
    assert found.ours("move", ("x", "b", "y")) == ("stack", ("b", "x", "y"))
    with pytest.raises(ValueError, match="there is no operator 'fly' of 1 arguments"):
        found.ours("fly", ("x",))


def test_a_search_that_leads_nowhere_ends():
    """Many alike operators: their pairings are more than anybody can try."""
    alike = [Operator.of(f"a{k} ?x ?y ?z", "(p ?x ?y) (q ?y ?z)", "(p ?y ?z)", "(q ?x ?y)") for k in range(12)]
    other = [Operator.of(f"b{k} ?x ?y ?z", "(p ?x ?y) (q ?y ?z)", "(p ?y ?z)", "(q ?z ?y)") for k in range(12)]
    assert list(recognise(Lifted.of("a", *alike), Lifted.of("b", *other))) == []
