"""Derived predicates: in which order their rules are applied."""

from collections.abc import Iterator, Sequence

from coc_planning.pddl.expressions import Source
from coc_planning.pddl.task import Atom, Connective, Effect, Formula


def layers(source: Source, rules: Sequence[Effect]) -> tuple[tuple[Effect, ...], ...]:
    """Return the rules in groups, so that what shall not hold for a rule is known before its group; ArtefactError if a
    predicate depends on its own opposite.
    """
    level = {rule.adds[0].predicate: 0 for rule in rules}
    changed = True
    while changed:
        changed = False
        for rule in rules:
            name = rule.adds[0].predicate
            needed = [level[other] + opposite for other, opposite in _needed(rule.condition) if other in level]
            if max(needed, default=0) > level[name]:
                level[name], changed = max(needed), True
            if level[name] > len(level):
                source.refuse(rule.line, f"{name!r:.60} depends on its own opposite")
    groups = sorted({*level.values()})
    return tuple(tuple(each for each in rules if level[each.adds[0].predicate] == group) for group in groups)


def _needed(formula: Formula, opposite: bool = False) -> Iterator[tuple[str, bool]]:
    """Yield the predicates in a formula, and whether it needs the opposite."""
    if isinstance(formula, Atom):
        yield formula.predicate, opposite
    for place, each in enumerate(formula.parts):
        flips = not place and isinstance(formula, Connective) and formula.kind in ("not", "imply")
        yield from _needed(each, opposite != flips)
