"""Childsnack: sandwiches are made in a kitchen and brought on trays to children, some of whom must not eat gluten.

Sandwiches for those are made first, from portions without gluten, and then the others. One tray takes all of them and
goes to each place once.
"""

import random
from collections.abc import Iterator, Sequence
from functools import cached_property

from coc_algorithms.ipc.stated import Stated, Task, action, linked
from coc_programs import Call, Record, Steps, chain, procedure, read, write

_PORTIONS = (
    "(sandwich ?sandwich) (bread-portion ?bread) (content-portion ?content)"
    " (at_kitchen_bread ?bread) (at_kitchen_content ?content) (notexist ?sandwich)"
)
_USED = "(at_kitchen_bread ?bread) (at_kitchen_content ?content) (notexist ?sandwich)"
_SERVED = (
    "(sandwich ?sandwich) (child ?child) (tray ?tray) (place ?place)"
    " (ontray ?sandwich ?tray) (waiting ?child ?place) (at ?tray ?place)"
)
MakeNoGluten = action(
    "make_sandwich_no_gluten ?sandwich ?bread ?content",
    f"{_PORTIONS} (no_gluten_bread ?bread) (no_gluten_content ?content)",
    adds="(at_kitchen_sandwich ?sandwich) (no_gluten_sandwich ?sandwich)",
    deletes=_USED,
)
Make = action("make_sandwich ?sandwich ?bread ?content", _PORTIONS, "(at_kitchen_sandwich ?sandwich)", deletes=_USED)
PutOnTray = action(
    "put_on_tray ?sandwich ?tray",
    "(sandwich ?sandwich) (tray ?tray) (at_kitchen_sandwich ?sandwich) (at_kitchen ?tray)",
    adds="(ontray ?sandwich ?tray)",
    deletes="(at_kitchen_sandwich ?sandwich)",
)
ServeNoGluten = action(
    "serve_sandwich_no_gluten ?sandwich ?child ?tray ?place",
    f"{_SERVED} (allergic_gluten ?child) (no_gluten_sandwich ?sandwich)",
    adds="(served ?child)",
    deletes="(ontray ?sandwich ?tray)",
)
Serve = action(
    "serve_sandwich ?sandwich ?child ?tray ?place",
    f"{_SERVED} (not_allergic_gluten ?child)",
    adds="(served ?child)",
    deletes="(ontray ?sandwich ?tray)",
)
_MOVED = "(tray ?tray) (place ?place)"
MoveTray = action(
    "move_tray ?tray ?place ?end", f"{_MOVED} (place ?end) (at ?tray ?place)", "(at ?tray ?end)", "(at ?tray ?place)"
)
TakeOut = action(
    "move_tray_out ?tray ?place", f"{_MOVED} (at_kitchen ?tray)", "(at ?tray ?place)", "(at_kitchen ?tray)"
)
BringBack = action(
    "move_tray_back ?tray ?place", f"{_MOVED} (at ?tray ?place)", "(at_kitchen ?tray)", "(at ?tray ?place)"
)


class Bread(Record):
    """A portion of bread in the kitchen, and the next one; those without gluten come first."""

    next: "Bread | None" = None


class Content(Record, letters="F"):
    """A portion of content, likewise."""

    next: "Content | None" = None


class Sandwich(Record):
    """A sandwich, and the next one that can be made."""

    next: "Sandwich | None" = None


class Child(Record):
    """A child to serve, its sandwich if there is one, and the next child there, or on whose tray that one's is."""

    allergic: bool
    place: "Place"
    sandwich: Sandwich | None = None
    next: "Child | None" = None


class Order(Record):
    """A child whose sandwich is not on a tray, and the next one; those who must not eat gluten come first."""

    child: Child
    next: "Order | None" = None


class Place(Record):
    """A place: the children to serve there, and the next such place."""

    children: Child | None = None
    next: "Place | None" = None


class Tray(Record):
    """A tray, and where it is, unless in the kitchen."""

    place: Place | None = None


class Load(Record):
    """A tray with sandwiches at the start, the children whom they are for, and the next such tray."""

    tray: Tray
    children: Child
    next: "Load | None" = None


class Kitchen(Record):
    """What sandwiches are made of."""

    bread: Bread | None = None
    content: Content | None = None
    sandwich: Sandwich | None = None


@procedure
def lunch(kitchen: Kitchen, tray: Tray, loads: Load | None, orders: Order | None, places: Place | None) -> Steps[None]:
    """Serve what is on trays at the start; make all other sandwiches, those without gluten first, and serve them."""
    for load in chain(loads, "next"):
        yield serve(load.children, load.tray)
    if orders:
        seen = yield read(tray)
        if seen.place:
            yield BringBack(tray.number, seen.place.number)
            yield write(tray, place=None)
    for order in chain(orders, "next"):
        yield prepare(kitchen, tray, order.child)
    for place in chain(places, "next"):
        yield serve(place.children, tray)


@procedure
def prepare(kitchen: Kitchen, tray: Tray, child: Child) -> Steps[None]:
    """Put the sandwich for a child on a tray; if there is none, make one of the first portions that are left."""
    eater = yield read(child)
    sandwich = eater.sandwich
    if not sandwich:
        sandwich = yield make(kitchen, eater.allergic)
        yield write(child, sandwich=sandwich)
    yield PutOnTray(sandwich.number, tray.number)


@procedure
def make(kitchen: Kitchen, allergic: bool) -> Steps[Sandwich]:
    """Make a sandwich of the first portions that are left."""
    stock = yield read(kitchen)
    bread = yield read(stock.bread)
    content = yield read(stock.content)
    sandwich = yield read(stock.sandwich)
    if allergic:
        yield MakeNoGluten(sandwich.number, bread.number, content.number)
    else:
        yield Make(sandwich.number, bread.number, content.number)
    yield write(kitchen, bread=bread.next, content=content.next, sandwich=sandwich.next)
    made: Sandwich = stock.sandwich
    return made


@procedure
def serve(children: Child, tray: Tray) -> Steps[None]:
    """Bring a tray to some children, one after the other, and serve them."""
    for child in chain(children, "next"):
        seen = yield read(tray)
        if not seen.place:
            yield TakeOut(tray.number, child.place.number)
            yield write(tray, place=child.place)
        elif seen.place != child.place:
            yield MoveTray(tray.number, seen.place.number, child.place.number)
            yield write(tray, place=child.place)
        sandwich: Sandwich = child.sandwich  # type: ignore[assignment]
        if child.allergic:
            yield ServeNoGluten(sandwich.number, child.number, tray.number, child.place.number)
        else:
            yield Serve(sandwich.number, child.number, tray.number, child.place.number)


class Snack(Task):
    """A problem of the children."""

    functions = {"at": 1, "ontray": 1, "waiting": 1}

    def check(self) -> None:
        inside = self.every("at_kitchen")
        for tray in self.of("tray"):
            if (tray in inside) == (tray in self.place_of):
                raise ValueError(f"{tray} is {'in the kitchen and at a place' if tray in inside else 'nowhere'}")
        for child in self.of("child"):
            if (child in self.allergic) == (child in self.every("not_allergic_gluten")):
                raise ValueError(f"{child} has to be allergic to gluten or not to be")
        kitchen, unmade = self.every("at_kitchen_sandwich"), self.every("notexist")
        for name in self.of("sandwich"):
            if (name in kitchen) + (name in unmade) + (name in self.tray_of) > 1 or name in unmade & self.good:
                raise ValueError(f"{name} exists and does not, or is at several places")
        assert self.waiting is not None
        for atom in self.goal:
            if atom.predicate in ("at", "ontray", "notexist") or "_kitchen" in atom.predicate:
                raise ValueError(f"the goal has {atom}, and more than which children are served")

    @cached_property
    def place_of(self) -> dict[str, str]:
        """Where each tray is that is not in the kitchen."""
        return self.mapping("at")

    @cached_property
    def tray_of(self) -> dict[str, str]:
        """The tray that each sandwich is on that is on one."""
        return self.mapping("ontray")

    @cached_property
    def waiting(self) -> dict[str, str]:
        """Where each child waits."""
        return self.mapping("waiting", total="child")

    @cached_property
    def allergic(self) -> set[str]:
        """The children who must not eat gluten."""
        return self.every("allergic_gluten")

    @cached_property
    def good(self) -> set[str]:
        """The sandwiches without gluten."""
        return self.every("no_gluten_sandwich")

    @cached_property
    def hungry(self) -> list[str]:
        """The children to serve, those first who must not eat gluten."""
        return sorted(self.left("served"), key=lambda name: name not in self.allergic)

    @cached_property
    def ready(self) -> dict[str, str]:
        """A sandwich for each child to serve for whom there is one at the start, on a tray if possible."""
        kitchen = self.every("at_kitchen_sandwich")
        found = sorted(
            (name for name in self.of("sandwich") if name in kitchen or name in self.tray_of), key=self._rank
        )
        given = {}
        for child in self.hungry:
            fit = [name for name in found if child not in self.allergic or name in self.good]
            if fit:
                given[child] = fit[0]
                found.remove(fit[0])
        return given

    def _rank(self, name: str) -> tuple[bool, bool]:
        return name in self.good, name not in self.tray_of

    def portions(self, kind: str) -> list[str]:
        """Return the portions of bread or content in the kitchen, those without gluten first."""
        good, kitchen = self.every(f"no_gluten_{kind}"), self.every(f"at_kitchen_{kind}")
        return sorted(
            (name for name in self.of(f"{kind}-portion") if name in kitchen), key=lambda name: name not in good
        )

    @property
    def impossible(self) -> str | None:
        left = [child for child in self.hungry if child not in self.ready]
        if self.hungry and not self.of("tray"):
            return "there is no tray"
        for kind in ("bread", "content"):
            portions = self.portions(kind)
            if len(portions) < len(left):
                return f"there is not enough {kind}"
            if len(self.every(f"no_gluten_{kind}").intersection(portions)) < len(self.allergic.intersection(left)):
                return f"there is not enough {kind} without gluten"
        return "more sandwiches are needed than there may be" if len(self.every("notexist")) < len(left) else None


class ChildSnack(Stated[Snack]):
    """n children, to whom sandwiches are brought."""

    name = "childsnack"
    task = Snack
    classes = {
        "child": Child,
        "bread-portion": Bread,
        "content-portion": Content,
        "sandwich": Sandwich,
        "tray": Tray,
        "place": Place,
    }
    counted = "child"
    operators = (MakeNoGluten, Make, PutOnTray, ServeNoGluten, Serve, MoveTray, TakeOut, BringBack)
    main = lunch

    def _problem(self, n: int, rng: random.Random) -> Snack:
        """Draw a problem with n children. In half of them all are to be served, all trays and no sandwich are there."""
        usual = rng.random() < 0.5
        numbers = {"child": n, "bread": n + (0 if usual else rng.randrange(3)), "content": n}
        numbers |= {"sandw": n + rng.randrange(n // 3 + 2)}
        numbers |= {kind: rng.randint(1, n // 3 + 2) for kind in ("tray", "table")}
        groups = [[f"{kind}{number}" for number in range(1, count + 1)] for kind, count in numbers.items()]
        children, breads, contents, sandwiches, trays, places = groups
        made = [f"made{number}" for number in range(1, 1 if usual else rng.randint(1, 3))]
        allergic = [name for name in children if rng.random() < 0.4]
        start = [f"{kind} {name}" for kind, names in zip(Snack.kinds, groups, strict=True) for name in names]
        start += [f"sandwich {name}" for name in made] + [f"notexist {name}" for name in sandwiches]
        for kind, names in (("bread", breads), ("content", contents)):
            start += [f"at_kitchen_{kind} {name}" for name in names]
            start += [f"no_gluten_{kind} {name}" for name in rng.sample(names, len(allergic))]
        start += [f"{'' if name in allergic else 'not_'}allergic_gluten {name}" for name in children]
        start += [f"waiting {name} {rng.choice(places)}" for name in children]
        out = [] if usual else [name for name in trays if rng.random() < 0.3]
        start += [f"at {name} {rng.choice(places)}" if name in out else f"at_kitchen {name}" for name in trays]
        for name in made:
            start.append(f"ontray {name} {rng.choice(trays)}" if rng.random() < 0.7 else f"at_kitchen_sandwich {name}")
            start += [f"no_gluten_sandwich {name}"] * (rng.random() < 0.5)
        return Snack.of_texts(start, [f"served {name}" for name in children if usual or rng.random() < 0.9])

    def kinds(self) -> Iterator[Call | Record]:
        for kind in self.every_kind():
            orders, places = kind.arguments[3:] if isinstance(kind, Call) else (None, None)
            idle = isinstance(kind, Place) and kind.next and not kind.children
            if bool(orders) == bool(places) and not idle:
                yield kind

    def begin(self, problem: Snack) -> tuple[Call, Sequence[Record]]:
        places = {name: Place() for name in problem.of("place")}
        sandwiches = {name: Sandwich() for name in problem.of("sandwich")}
        trays = {name: Tray(place=places.get(problem.place_of.get(name, ""))) for name in problem.of("tray")}
        breads = {name: Bread() for name in problem.of("bread-portion")}
        contents = {name: Content() for name in problem.of("content-portion")}
        ready = {child: sandwiches[name] for child, name in problem.ready.items()}
        children = {
            name: Child(allergic=name in problem.allergic, place=places[place], sandwich=ready.get(name))
            for name, place in problem.waiting.items()
        }
        on_tray = {child: problem.tray_of.get(name) for child, name in problem.ready.items()}
        loads = list[Load]()
        for name, tray in trays.items():
            if loaded := linked(children[child] for child in problem.hungry if on_tray.get(child) == name):
                loads.append(Load(tray=tray, children=loaded))
        orders = [Order(child=children[child]) for child in problem.hungry if not on_tray.get(child)]
        for place in places.values():
            place.children = linked(order.child for order in orders if order.child.place == place)
        kitchen = Kitchen(
            bread=linked(breads[name] for name in problem.portions("bread")),
            content=linked(contents[name] for name in problem.portions("content")),
            sandwich=linked(sandwiches[name] for (name,) in problem.holding("notexist")),
        )
        spare = [] if trays else [Tray()]
        tray = min([*trays.values(), *spare], key=lambda each: each.place is not None)
        used = linked(place for place in places.values() if place.children)
        call = lunch(kitchen, tray, linked(loads), linked(orders), used)
        named = (children, breads, contents, sandwiches, trays, places)
        return call, [*(each for records in named for each in records.values()), kitchen, *spare, *loads, *orders]
