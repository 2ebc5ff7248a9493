"""Plans as grammars: sequences of actions that are never written out, and the states on their way."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Any, overload

from attrs import define, field

from coc_core.domain import Domain, HasOperators, Operator, compose
from coc_core.errors import UsageError
from coc_core.types import Outcome

_REMEMBERED = 1 << 12  # operators of single actions

Part = str | int
"""A text, or the number of a rule, counted from 0."""

Rule = tuple[Part, ...]
"""What a rule is written out as: texts, and the numbers of earlier rules."""


@define(eq=False)
class Grammar:
    """A straight-line grammar: a sequence of texts of any length as rules, the last of which is the whole of it.

    A number in a rule is that of an earlier one. So no rule leads back to itself, and a text is found in time
    proportional to how deep the rules are nested. `lengths` has the number of texts that each rule is written out as.
    """

    rules: tuple[Rule, ...] = field(repr=lambda rules: f"<{len(rules):,} rules>")
    lengths: list[int] = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self.lengths = []
        for rule in self.rules:
            self.lengths.append(sum(map(self.count, rule)))

    def count(self, part: Part) -> int:
        """Return how many texts a part is written out as."""
        return self.lengths[part] if isinstance(part, int) else 1

    def before(self, place: int) -> Iterator[Part]:
        """Yield the fewest parts that are written out as all texts before a place, from 0 to the length."""
        pending: list[Part] = [len(self.rules) - 1]
        while place:
            part = pending.pop()
            count = self.count(part)
            if count <= place:
                place -= count
                yield part
            elif isinstance(part, int):
                pending = [*reversed(self.rules[part])]

    def texts(self, start: int, stop: int) -> Iterator[str]:
        """Yield the texts from one place to before another, which are written out as they are read."""
        pending: list[Part] = [len(self.rules) - 1]
        place = 0
        while place < stop:
            part = pending.pop()
            count = self.count(part)
            if place + count <= start:
                place += count
            elif isinstance(part, int):
                pending += reversed(self.rules[part])
            else:
                place += 1
                yield part


class GrammarPlan(Sequence[str]):
    """A plan of any length: the text of each action, in order, and the states on its way.

    Attributes:
        domain: The domain of the plan.
        problem: The problem that the plan is for, as the domain has it.
        grammar: The rules that the plan is written as.
        outcome: How the run ended that made the plan, if that is known.
        length: The number of actions. `len` gives it, too, unless it is larger than `sys.maxsize`.
    """

    def __init__(
        self, domain: Domain[Any, Any, Any, Any], problem: Any, grammar: Grammar, outcome: Outcome | None = None
    ) -> None:
        self.domain, self.problem, self.grammar, self.outcome = domain, problem, grammar, outcome
        self.length = grammar.lengths[-1]

    def __len__(self) -> int:
        return self.length

    def __bool__(self) -> bool:
        return self.length > 0

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> list[str]: ...

    def __getitem__(self, index: int | slice) -> str | list[str]:
        """Return one action, or those in a slice."""
        places = range(self.length)[index]
        if isinstance(places, int):
            return next(self.grammar.texts(places, places + 1))
        if places.step == 1:
            return list(self.grammar.texts(places.start, places.stop))
        return [self[place] for place in places]

    def __iter__(self) -> Iterator[str]:
        return self.grammar.texts(0, self.length)

    def __contains__(self, action: object) -> bool:
        return isinstance(action, str) and any(action in rule for rule in self.grammar.rules)

    def __repr__(self) -> str:
        return f"<GrammarPlan: {self.domain.name}, {self.length:,} actions, {len(self.grammar.rules):,} rules>"

    def state(self, actions: int) -> Any:
        """Return the state after so many actions, in time proportional to the depth of the rules.

        Raises:
            UsageError: The plan has fewer actions, one of them is illegal, or the domain's actions aren't operators.
        """
        if not 0 <= actions <= self.length:
            raise UsageError(f"the plan has no state after {actions:,} actions", remedy=f"it has {self.length:,}")
        illegal = self.first_illegal
        if illegal is not None and illegal < actions:
            raise UsageError(f"action {illegal + 1:,} of the plan is illegal", remedy="look at a state before it")
        legal = filter(None, map(self._operator, self.grammar.before(actions)))
        sets = {variable: value for operator in legal for variable, value in operator.sets.items()}
        return self._domain.assign(self.domain.initial(self.problem), sets)

    @property
    def reaches_goal(self) -> bool:
        """Whether all actions are legal and the last state is a goal; errors as for `state`."""
        return self.first_illegal is None and self.domain.is_goal(self.problem, self.state(self.length))

    @property
    def verdict(self) -> str | None:
        """`complete`, `incomplete` if it ends before the goal, or `illegal`; None if the actions aren't operators."""
        if not isinstance(self.domain, HasOperators):
            return None
        if self.first_illegal is not None:
            return "illegal"
        return "complete" if self.reaches_goal else "incomplete"

    @cached_property
    def first_illegal(self) -> int | None:
        """The index of the first illegal action; None if all are legal. UsageError if they aren't operators."""
        domain, state, place = self._domain, self.domain.initial(self.problem), 0
        pending: list[Part] = [len(self.grammar.rules) - 1]
        while pending:
            part = pending.pop()
            operator = self._operator(part)
            if operator is not None and operator.applicable(domain.variables(state)):
                state = domain.assign(state, operator.sets)
                place += self.grammar.count(part)
            elif isinstance(part, int):
                pending += reversed(self.grammar.rules[part])
            else:
                return place
        return None

    @property
    def _domain(self) -> HasOperators[Any, Any, Any, Any]:
        if not isinstance(self.domain, HasOperators):
            raise UsageError(f"the actions of {self.domain.name} aren't operators, so only the actions can be shown")
        return self.domain

    @cached_property
    def _operator(self) -> Callable[[Part], Operator | None]:
        """What a text or a rule needs and sets; None if it is legal nowhere."""
        domain, parse, of_rules = self._domain, self.domain.actions.parse, list[Operator | None]()
        of_text = lru_cache(_REMEMBERED)(lambda text: domain.operator(parse(text)))

        def of(part: Part) -> Operator | None:
            return of_rules[part] if isinstance(part, int) else of_text(part)

        for rule in self.grammar.rules:
            known = [operator for operator in map(of, rule) if operator is not None]
            of_rules.append(compose(known) if len(known) == len(rule) else None)
        return of
