"""The states of a plan, in a form that a page can compute them from: what each action moves, and where to.

What is moved are the items of the domain's scenes, from one column to the top of another. Where an action does
something else to the scene, or the domain has none, it is the variables of the state, and where to is the value.
"""

from collections.abc import Sequence
from typing import Any

from coc_certify.plan import GrammarPlan
from coc_core.domain import HasOperators, Item, Scene, scene_of
from coc_core.text import escaped

_Moves = list[tuple[int, int]]


def build_states(plan: GrammarPlan, first_uses: Sequence[tuple[str, int]]) -> dict[str, Any] | None:
    """The states of a plan, as a part of the page's document.

    Args:
        plan: The plan.
        first_uses: Each different action of the plan, with the number of actions before its first use.

    Returns:
        None if the domain's actions aren't operators. Otherwise `drawn` says whether the state is a picture; `posts`
        whether its items hang on posts. `items` has the label and width of each item, or the name of a variable and 0;
        `places` the labels of the columns, or the values. `start` has numbers of an item and of its place, from the
        ground up, and so has `effects`, for each action, for what it moves. An action that is not legal before its
        first use moves nothing.
    """
    if not isinstance(plan.domain, HasOperators):
        return None
    return _drawn(plan, first_uses) or _listed(plan, plan.domain, first_uses)


def _drawn(plan: GrammarPlan, first_uses: Sequence[tuple[str, int]]) -> dict[str, Any] | None:
    """The states as pictures; None if these don't follow from what each action moves."""
    domain = plan.domain
    start = scene_of(domain, domain.initial(plan.problem))
    if not start.columns:
        return None
    items = {item.name: item for column in start.columns for item in column.items}
    numbers = {name: number for number, name in enumerate(items)}
    effects = list[_Moves]()
    for text, place in first_uses:
        moves = _Moves()
        if _legal(plan, place):
            state = plan.state(place)
            before, after = scene_of(domain, state), scene_of(domain, domain.apply(state, domain.actions.parse(text)))
            found = _moved(before, after) if _labels(before) == _labels(after) == _labels(start) else None
            if found is None:
                return None
            moves = [(numbers[item.name], column) for item, column in found]
        effects.append(moves)
    return {
        "drawn": True,
        "posts": start.posts,
        "items": [(escaped(item.label), round(item.size, 4)) for item in items.values()],
        "places": [escaped(label) for label in _labels(start)],
        "start": [(numbers[item.name], at) for at, column in enumerate(start.columns) for item in column.items],
        "effects": effects,
    }


def _labels(scene: Scene) -> list[str]:
    return [column.label for column in scene.columns]


def _moved(before: Scene, after: Scene) -> list[tuple[Item, int]] | None:
    """The items that were put onto other columns, with these; None if that is not all that has changed."""
    places = {item: at for at, column in enumerate(before.columns) for item in column.items}
    moved = [(item, at) for at, column in enumerate(after.columns) for item in column.items if places.get(item) != at]
    gone = {item for item, _ in moved}
    for at, (old, new) in enumerate(zip(before.columns, after.columns, strict=True)):
        left = tuple(item for item in old.items if item not in gone)
        if new.items != left + tuple(item for item, to in moved if to == at):
            return None
    return moved if gone <= places.keys() else None


def _listed(
    plan: GrammarPlan, domain: HasOperators[Any, Any, Any, Any], first_uses: Sequence[tuple[str, int]]
) -> dict[str, Any]:
    """The states as the values of their variables."""
    variables, values = dict[Any, int](), dict[Any, int]()

    def numbered(assignment: Any) -> _Moves:
        return [
            (variables.setdefault(variable, len(variables)), values.setdefault(value, len(values)))
            for variable, value in assignment.items()
        ]

    start = numbered(domain.variables(plan.domain.initial(plan.problem)))
    effects = list[_Moves]()
    for text, place in first_uses:
        operator = domain.operator(plan.domain.actions.parse(text)) if _legal(plan, place) else None
        effects.append([] if operator is None else numbered(operator.sets))
    return {
        "drawn": False,
        "posts": False,
        "items": [(escaped(str(variable)), 0) for variable in variables],
        "places": [escaped(str(value)) for value in values],
        "start": start,
        "effects": effects,
    }


def _legal(plan: GrammarPlan, place: int) -> bool:
    """Whether the action after so many, and all before it, are legal."""
    return plan.first_illegal is None or place < plan.first_illegal
