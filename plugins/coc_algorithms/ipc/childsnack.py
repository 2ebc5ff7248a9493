"""Childsnack: sandwiches are made in a kitchen and brought on trays to children, some of whom must not eat gluten.

Sandwiches for those are made first, from portions without gluten, and then the others. One tray takes all of them and
goes to each place once.
"""

import random
from collections.abc import Iterator, Sequence

from coc_algorithms.ipc.snack import Snack, drawn
from coc_algorithms.ipc.stated import Stated, action, linked
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
        return drawn(n, rng)

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
