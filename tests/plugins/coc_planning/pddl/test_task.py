"""Formulas as data."""

from itertools import product

from hypothesis import given, strategies as st

from coc_planning.pddl.task import Atom, Connective, Quantified, negated

ATOMS = st.builds(Atom, st.sampled_from("pq"), st.tuples(st.sampled_from(["?x", "?y", "a", "b"])))
VARIABLES = st.sampled_from([{"?x": ("object",)}, {"?y": ("object",)}])


def larger(formulas):
    return (
        st.builds(lambda part: Connective("not", (part,)), formulas)
        | st.builds(Connective, st.sampled_from(["and", "or"]), st.lists(formulas, max_size=3).map(tuple))
        | st.builds(Connective, st.just("imply"), st.tuples(formulas, formulas))
        | st.builds(Quantified, st.sampled_from(["forall", "exists"]), VARIABLES, formulas)
    )


def holds(formula, facts, named):
    match formula:
        case Atom(predicate, (argument,)):
            return (predicate, named.get(argument, argument)) in facts
        case Connective("not", (part,)):
            return not holds(part, facts, named)
        case Connective("imply", (condition, result)):
            return not holds(condition, facts, named) or holds(result, facts, named)
        case Connective(kind, parts):
            return (all if kind == "and" else any)(holds(part, facts, named) for part in parts)
        case Quantified(kind, variables, body):
            (variable,) = variables
            return (all if kind == "forall" else any)(holds(body, facts, named | {variable: each}) for each in "ab")


@given(
    formula=st.recursive(ATOMS, larger, max_leaves=6),
    facts=st.frozensets(st.sampled_from(list(product("pq", "ab")))),
)
def test_the_opposite_of_a_formula_holds_where_it_does_not(formula, facts):
    named = {"?x": "a", "?y": "b"}
    assert holds(negated(formula), facts, named) != holds(formula, facts, named)
