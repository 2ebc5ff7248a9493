"""A program as a certificate carries it: what each of its steps does, in texts as coc writes them."""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from certificate.expressions import (
    ANY,
    Fault,
    Kinds,
    Reference,
    Scope,
    Value,
    all_of,
    check_name,
    expression,
    kinds_by_name,
    text,
    variable,
)
from certificate.strict import Refused, fields, require

PARTS_OF_RESULTS = "abcdefghijklmnopqrstuvwxyz"  # what the variables of several results are called, after a dot
MOST_OPERATIONS = 100_000  # of a step
MOST_TAKEN = 50_000_000  # of all steps
PARTS = re.compile("\n|(?:^| )(?:OUTPUT|WRITE|RETURN) ")  # what separates the parts of a target
OPERATIONS = {"assign": 1, "jump": 1, "branch": 2, "emit": 1, "write": 2, "return": 1, "read": 4, "new": 4, "call": 5}
"""How many parts each has."""


class Place:
    """A place in a procedure where a step begins: after an operation, or at the beginning.

    An instruction there has a list of values: those of its variables; the record that it reads, and the fields of that;
    or the results that it waited for.
    """

    def __init__(self, name: str, procedure: "Procedure", index: int, shown: dict[str, Kinds]) -> None:
        self.name, self.procedure, self.index, self.shown = name, procedure, index, shown
        self.reads: str | None = None
        self.waits = False  # for a result
        self.given: list[Kinds] = []  # what it gets: the record, and its fields; or the results
        self.target: str | None = None  # the variable that takes what is read, made or returned
        self.itself: str | None = None  # the variable that named the record

    def text(self, values: list[Any], named: dict[str, Kinds]) -> str:
        """Return the text of an instruction, whose record has fields of these names."""
        parts = [f"CALL {self.name}", *map("{}={}".format, self.shown, map(text, values))]
        rest = [text(value) for value in values[len(self.shown) :]]
        if self.reads is not None:
            parts.append(f"AT {rest[0]}{':' * (len(rest) > 1)}")
            parts += map("{}={}".format, named, rest[1:])
        elif self.waits:
            parts.append(f"GOT {' '.join(rest) or '?'}")
        return " ".join(parts)


class Procedure:
    """A procedure: its operations, each of which has been checked, with expressions that can be computed."""

    def __init__(self, data: Any, classes: dict[str, dict[str, Kinds]]) -> None:
        fields(
            data,
            "a procedure",
            {"name": str, "arguments": dict, "result": (dict, list, type(None)), "operations": list},
        )
        self.name: str = data["name"]
        check_name(self.name, classes)
        self.arguments = kinds_by_name(data["arguments"], classes)
        several = data["result"] if type(data["result"]) is list else [data["result"]]
        self.results = [Kinds(each, classes) for each in several if each is not None]
        self.places = {-1: Place(self.name, self, -1, self.arguments)}
        self.operations = [self._operation(index, each, classes) for index, each in enumerate(data["operations"])]
        require(bool(self.operations) and self.operations[-1][0] == "return", f"{self.name!r:.60} has no end")

    def _operation(self, index: int, data: Any, classes: dict[str, dict[str, Kinds]]) -> list[Any]:
        known = type(data) is list and data and type(data[0]) is str and len(data) == 1 + OPERATIONS.get(data[0], -1)
        require(bool(known), f"{data!r:.60} is no operation")
        name, *parts = data
        if name in ("read", "new", "call"):
            target, shown, one, *rest = parts
            require(target is None or type(target) is str, f"{target!r:.60} is no variable")
            shown = kinds_by_name(shown, classes)
            place = self.places[index] = Place(f"{self.name}.{len(self.places)}", self, index, shown)
            place.target = target
            if name == "read":
                value, (place.reads,) = expression(one), rest
                require(place.reads in classes, f"{place.reads!r:.60} is no class")
                itself = Kinds({"words": [], "records": rest, "numbers": []}, classes)
                place.given = [itself, *classes[place.reads].values()]
                place.itself = one[1] if one[0] == "variable" and "." not in one[1] else None
                return [name, value]
            require(type(one) is str and (name == "call" or one in classes), f"{one!r:.60} is no class or procedure")
            if name == "new":
                given = _expressions(rest[0])
                require(given.keys() == classes[one].keys(), f"{one} has other fields")
                return [name, one, given]
            require(type(rest[1]) is bool, f"{data!r:.60} is no call")
            return [name, one, all_of(rest[0]), rest[1]]
        if name in ("jump", "branch"):
            require(type(parts[-1]) is int and parts[-1] >= 0, f"{data!r:.60} leads nowhere")
            return [name, *all_of(parts[:-1]), parts[-1]]
        if name == "emit":
            require(type(parts[0]) is list, f"{data!r:.60} is no text")
            return [name, [_part(each) for each in parts[0]], [*_used(parts[0])]]
        if name == "return":
            several = type(parts[0]) is list and parts[0][:1] == ["results"]
            return [name, all_of(parts[0][1:] if several else [each for each in parts if each is not None])]
        return [name, *all_of(parts[:-1]), _expressions(parts[-1])]  # assign, write


def _expressions(data: Any) -> dict[str, Value]:
    require(type(data) is dict, f"{data!r:.60} are no expressions by name")
    return {name: expression(each) for name, each in data.items()}


def _part(data: Any) -> Value:
    """Return what writes a part of an action or a note: a text, or a value, with what stands before it or in its
    place.
    """
    if type(data) is str:
        return lambda scope: data
    match data:
        case [["number", one], str(before), {**rest}] if not rest:
            record = expression(one)
            return lambda scope: f"{before}{getattr(record(scope), 'number', None) or _no_record()}"
        case [one, str(before), {**texts}]:
            part = expression(one)
            require(all(type(each) is str for each in texts.values()), f"{texts!r:.60} are no texts")
            return lambda scope: str(texts.get(text(part(scope)), before + text(part(scope))))
    raise Refused(f"{data!r:.60} is no part of a text")


def _used(data: Any) -> Iterator[str]:
    """Yield the variables that some expressions use."""
    if type(data) is list and data[:1] == ["variable"]:
        yield from (each for each in data[1:] if type(each) is str)
    elif type(data) is list:
        for each in data:
            yield from _used(each)


def _is_new(value: Any) -> bool:
    return isinstance(value, Reference) and value.number == 0


def _no_record() -> Any:
    raise Fault("there is no record")


@dataclass
class Step:
    """What a step does: texts, records with fields that are written, instructions in the order of running, results."""

    emits: list[str] = field(default_factory=list)
    written: list[tuple[Reference, dict[str, Any]]] = field(default_factory=list)
    then: list[tuple[Place, list[Any]]] = field(default_factory=list)
    result: list[Any] = field(default_factory=list)


class Program:
    """A program: classes of records, and procedures."""

    def __init__(self, classes: Any, procedures: Any) -> None:
        named = all(each and letters != ANY and re.fullmatch("[A-Za-z]+", letters) for letters, each in classes.items())
        require(named and len(procedures) > 0, "there are no procedures, or classes without fields")
        self.classes = {letters: kinds_by_name(kinds, classes) for letters, kinds in classes.items()}
        made = [Procedure(each, self.classes) for each in procedures]
        self.procedures, self.taken = {each.name: each for each in made}, 0
        require(len(self.procedures) == len(made), "two procedures have one name")
        self.results = [kinds for each in made for kinds in each.results]
        for each in made:
            for index, (name, *parts) in enumerate(each.operations):
                if name == "call":
                    require(parts[0] in self.procedures, f"there is no procedure {parts[0]!r:.60}")
                    called = self.procedures[parts[0]]
                    require(len(parts[1]) == len(called.arguments), f"{called.name} has other arguments")
                    each.places[index].given = called.results
                    each.places[index].waits = bool(called.results)
        self.places = {place.name: place for each in made for place in each.places.values()}
        self.main = made[0]

    def text(self, place: Place, values: list[Any]) -> str:
        """Return the text of an instruction."""
        return place.text(values, self.classes.get(place.reads or "", {}))

    def fits(self, place: Place, values: list[Any]) -> bool:
        """Return whether an instruction with a record or a result can have these values."""
        kinds = [*place.shown.values(), *place.given]
        return len(kinds) == len(values) and all(kind.accepts(value) for kind, value in zip(kinds, values, strict=True))

    def start(self, values: list[Any], compared: list[tuple[int, int]]) -> tuple[Place, list[Any]]:
        """Return the instruction that a call of the main procedure with these arguments begins with."""
        scope = Scope(dict(zip(self.main.arguments, values, strict=True)), compared)
        return next(iter(self._settled(self.main, -1, scope)), (self.main.places[-1], values))

    def step(self, place: Place, values: list[Any], compared: list[tuple[int, int]]) -> Step:
        """Return the step for an instruction. `Fault` if the program goes wrong there."""
        scope, given = Scope(dict(zip(place.shown, values, strict=False)), compared), values[len(place.shown) :]
        if place.itself is not None:
            scope.variables[place.itself] = given[0]
        if given and place.target is not None:
            names = [place.target, *map(f"{place.target}.{{}}".format, self.classes.get(place.reads or "", {}))]
            if place.waits and len(given) > 1:
                names = [f"{place.target}.{part}" for part in PARTS_OF_RESULTS[: len(given)]]
            scope.variables |= dict(zip(names, given, strict=True))
        step = self._run(place.procedure, place.index + 1, scope, Step())
        for record, written in step.written:
            kinds = self.classes[record.letters]
            require(written.keys() <= kinds.keys(), f"{record.letters} has other fields")
            written |= {name: kinds[name].taken(value) for name, value in written.items()}
        step.result = [kind.taken(each) for kind, each in zip(place.procedure.results, step.result, strict=False)]
        return step

    def _run(self, procedure: Procedure, index: int, scope: Scope, step: Step) -> Step:
        index = self._advance(procedure, index, scope, step)
        name, *parts = procedure.operations[index]
        if name == "return":
            step.result = [each(scope) for each in parts[0]] or [None] * len(procedure.results)
            require(len(step.result) == len(procedure.results), f"{procedure.name} returns other results")
        elif name == "read":
            step.then = [self._reading(procedure, index, scope)]
        elif name == "new":
            made, given = Reference(parts[0], 0), {each: value(scope) for each, value in parts[1].items()}
            step.written.append((made, given))
            target = procedure.places[index].target
            if target is not None:
                scope.variables |= {target: made, **{f"{target}.{each}": value for each, value in given.items()}}
            inner, longer = Scope(dict(scope.variables), scope.compared), Step([*step.emits], [*step.written])
            with suppress(Fault):  # what goes wrong there goes wrong in the next step
                end = self._advance(procedure, index + 1, inner, longer)
                if procedure.operations[end][0] in ("read", "return"):
                    self.target(self._run(procedure, end, inner, longer))
                    return longer
            step.then = [self._instruction(procedure.places[index], scope)]
        else:
            called, arguments, is_tail = parts
            other = self.procedures[called]
            given = dict(zip(other.arguments, (each(scope) for each in arguments), strict=True))
            step.then = self._settled(other, -1, Scope(given, scope.compared))
            if not is_tail and other.results:
                step.then.append(self._instruction(procedure.places[index], scope))
            elif not is_tail:
                step.then += self._settled(procedure, index, scope)
        return step

    def _advance(self, procedure: Procedure, index: int, scope: Scope, step: Step | None) -> int:
        """Return the index of the operation that ends a step, or without one, of the first that has an effect."""
        for _ in range(MOST_OPERATIONS):
            require(index < len(procedure.operations), f"{procedure.name} goes on after its end")
            self.taken += 1
            require(self.taken <= MOST_TAKEN, "the program takes too long for this checker")
            name, *parts = procedure.operations[index]
            if name == "assign":
                scope.variables |= {each: value(scope) for each, value in parts[0].items()}
            elif name == "jump" or (name == "branch" and not parts[0](scope)):
                index = parts[-1] - 1
            elif (
                name == "emit" and step is not None and not any(_is_new(scope.variables.get(each)) for each in parts[1])
            ):
                step.emits.append("".join(part(scope) for part in parts[0]))
            elif name == "write" and step is not None:
                found = parts[0](scope)
                if not isinstance(found, Reference):
                    raise Fault("there is no record to write")
                given = {each: value(scope) for each, value in parts[1].items()}
                if _is_new(found):  # it is written once, whole
                    (before,) = (each for each in step.written if _is_new(each[0]))
                    step.written.remove(before)
                    given = before[1] | given
                step.written.append((found, given))
            elif name != "branch":
                return index
            index += 1
        raise Fault("a loop goes on without reading or calling")

    def _settled(self, procedure: Procedure, index: int, scope: Scope) -> list[tuple[Place, list[Any]]]:
        """Return what is left to do at a place: an instruction, or none. It may be one that reads what comes first."""
        inner = Scope(dict(scope.variables), scope.compared)
        with suppress(Fault):  # what goes wrong there goes wrong in the next step
            after = self._advance(procedure, index + 1, inner, None)
            if procedure.operations[after][0] == "read":
                return [self._reading(procedure, after, inner)]
            if procedure.operations[after][0] == "return" and not procedure.results:
                return []
        return [self._instruction(procedure.places[index], scope)]

    def _reading(self, procedure: Procedure, index: int, scope: Scope) -> tuple[Place, list[Any]]:
        found, place = procedure.operations[index][1](scope), procedure.places[index]
        if not isinstance(found, Reference) or found.letters != place.reads:
            raise Fault("there is no record to read")
        place, values = self._instruction(place, scope)
        return place, [*values, found]

    @staticmethod
    def _instruction(place: Place, scope: Scope) -> tuple[Place, list[Any]]:
        values = [kind.taken(variable(scope.variables, name)) for name, kind in place.shown.items()]
        if not all(kind.accepts(value) for kind, value in zip(place.shown.values(), values, strict=True)):
            raise Fault("a variable has a value that no text is for")
        return place, values

    def target(self, step: Step) -> str:
        """Return the text of what a step does."""
        lines = list(step.emits)
        require(not any(PARTS.search(line.removeprefix("OUTPUT ")) for line in lines), f"{lines[:1]} has several parts")
        for record, given in step.written:
            known = self.classes[record.letters]
            lines.append(
                f"WRITE {text(record)}: " + " ".join(f"{each}={text(given[each])}" for each in known if each in given)
            )
            if not all(known[each].accepts(known[each].taken(value)) for each, value in given.items()):
                raise Fault("a field gets a value that no text is for")
        lines += ["WRITE " + self.text(*each) for each in reversed(step.then)]
        if not all(map(self.returns, step.result)):
            raise Fault("a result has a value that no text is for")
        lines += [f"RETURN {' '.join(map(text, step.result))}"] if step.result else []
        return "\n".join(lines or ["RETURN"])

    def returns(self, value: Any) -> bool:
        """Return whether there is a text for a result: that of some procedure, or between the numbers of two."""
        ends = [end for each in self.results for end in (each.numbers[:1], each.numbers[-1:]) if end]
        numbers = [end[0] for end in ends]
        between = type(value) is int and bool(numbers) and min(numbers) <= value <= max(numbers)
        return between or any(each.accepts(each.taken(value)) for each in self.results)
