"""Childsnack: sandwiches are made in a kitchen and brought on trays to children, some of whom must not eat gluten.

Sandwiches for those are made first, from portions without gluten, and then the others. One tray takes all of them and
goes to each place once.
"""

from collections.abc import Sequence
from random import Random

from coc_algorithms.planning import Drawing, Drawn, PlanningProgram, World, linked, named, operators
from coc_programs import Call, Record, Steps, each, procedure, read, write
from coc_programs.library import List

MakeNoGluten, Make, PutOnTray, ServeNoGluten, Serve, MoveTray, TakeOut, BringBack = operators("""
make_sandwich_no_gluten ?sandwich - sandwich ?bread - bread-portion ?content - content-portion:
    (at_kitchen_bread ?bread) (at_kitchen_content ?content) (notexist ?sandwich)
    (no_gluten_bread ?bread) (no_gluten_content ?content)
    -> (at_kitchen_sandwich ?sandwich) (no_gluten_sandwich ?sandwich)
    (not (at_kitchen_bread ?bread)) (not (at_kitchen_content ?content)) (not (notexist ?sandwich))
make_sandwich ?sandwich - sandwich ?bread - bread-portion ?content - content-portion:
    (at_kitchen_bread ?bread) (at_kitchen_content ?content) (notexist ?sandwich) -> (at_kitchen_sandwich ?sandwich)
    (not (at_kitchen_bread ?bread)) (not (at_kitchen_content ?content)) (not (notexist ?sandwich))
put_on_tray ?sandwich ?tray: (at_kitchen_sandwich ?sandwich) (at_kitchen ?tray)
    -> (ontray ?sandwich ?tray) (not (at_kitchen_sandwich ?sandwich))
serve_sandwich_no_gluten ?sandwich ?child ?tray ?place: (ontray ?sandwich ?tray) (waiting ?child ?place)
    (at ?tray ?place) (allergic_gluten ?child) (no_gluten_sandwich ?sandwich)
    -> (served ?child) (not (ontray ?sandwich ?tray))
serve_sandwich ?sandwich ?child ?tray ?place: (ontray ?sandwich ?tray) (waiting ?child ?place)
    (at ?tray ?place) (not_allergic_gluten ?child) -> (served ?child) (not (ontray ?sandwich ?tray))
move_tray ?tray - tray ?place ?end - place: (at ?tray ?place) -> (at ?tray ?end) (not (at ?tray ?place))
move_tray_out ?tray ?place: (at_kitchen ?tray) -> (at ?tray ?place) (not (at_kitchen ?tray))
move_tray_back ?tray ?place: (at ?tray ?place) -> (at_kitchen ?tray) (not (at ?tray ?place))
""")


class Portion(Record):
    """A portion of bread or content, and the next one; those without gluten come first."""

    next: "Portion | None" = None


class Sandwich(Record):
    """A sandwich, and the next one that can be made."""

    next: "Sandwich | None" = None


class Kitchen(Record):
    """What sandwiches are made of."""

    bread: Portion | None = None
    content: Portion | None = None
    sandwich: Sandwich | None = None


class Child(Record):
    """A child, where it waits, and its sandwich, if there is one."""

    allergic: bool
    place: "Place"
    sandwich: Sandwich | None = None


class Place(Record, letters="L"):
    """A place, and the children to serve there."""

    children: List[Child]


class Tray(Record):
    """A tray, where it is, unless in the kitchen, and the children for whom a sandwich is on it at the start."""

    place: Place | None = None
    children: List[Child]


@procedure
def lunch(kitchen: Kitchen, tray: Tray, trays: List[Tray], orders: List[Child], places: List[Place]) -> Steps[None]:
    """Serve what is on trays at the start; make all other sandwiches, those without gluten first, and serve them."""
    for loaded in each(trays):
        yield serve((yield read(loaded)).children, loaded)
    if (yield read(orders)).next:
        place = (yield read(tray)).place
        if place:
            yield BringBack(tray, place)
            yield write(tray, place=None)
    for child in each(orders):
        yield prepare(kitchen, tray, child)
    for there in each(places):
        yield serve((yield read(there)).children, tray)


@procedure
def prepare(kitchen: Kitchen, tray: Tray, child: Child) -> Steps[None]:
    """Put the sandwich for a child on a tray; if there is none, make one of the first portions that are left."""
    eater = yield read(child)
    sandwich = eater.sandwich
    if not sandwich:
        stock = yield read(kitchen)
        sandwich = stock.sandwich
        if eater.allergic:
            yield MakeNoGluten(sandwich, stock.bread, stock.content)
        else:
            yield Make(sandwich, stock.bread, stock.content)
        yield write(child, sandwich=sandwich)
        yield write(kitchen, sandwich=(yield read(sandwich)).next)
        yield write(kitchen, bread=(yield read(stock.bread)).next)
        yield write(kitchen, content=(yield read(stock.content)).next)
    yield PutOnTray(sandwich, tray)


@procedure
def serve(children: List[Child], tray: Tray) -> Steps[None]:
    """Bring a tray to some children, one after the other, and serve them."""
    for child in each(children):
        eater = yield read(child)
        place = (yield read(tray)).place
        if not place:
            yield TakeOut(tray, eater.place)
        elif place != eater.place:
            yield MoveTray(tray, place, eater.place)
        yield write(tray, place=eater.place)
        if eater.allergic:
            yield ServeNoGluten(eater.sandwich, child, tray, eater.place)
        else:
            yield Serve(eater.sandwich, child, tray, eater.place)


class ChildSnack(PlanningProgram):
    """n children, to whom sandwiches are brought."""

    name = "childsnack"
    main = lunch
    operators = (MakeNoGluten, Make, PutOnTray, ServeNoGluten, Serve, MoveTray, TakeOut, BringBack)
    classes = {
        "child": Child,
        "bread-portion": Portion,
        "content-portion": Portion,
        "sandwich": Sandwich,
        "tray": Tray,
        "place": Place,
    }
    exactly_one = (
        "(at_kitchen ?tray) (at ?tray _)",
        "(waiting ?child _)",
        "(allergic_gluten ?child) (not_allergic_gluten ?child)",
    )
    at_most_one = (
        "(at_kitchen_sandwich ?sandwich) (notexist ?sandwich) (ontray ?sandwich _)",
        "(notexist ?sandwich) (no_gluten_sandwich ?sandwich)",
    )
    picture = Drawing(
        "place kitchen",
        {
            **{f"at_kitchen{each}": "{0} in kitchen" for each in ("", "_bread", "_content", "_sandwich")},
            **dict.fromkeys(("waiting", "at", "ontray"), "{0} in {1}"),
        },
        carriers="tray",
        implied="notexist",
    )
    goals = "(served ?child)"

    def build(self, world: World) -> Call:
        start = world.start
        for child in world[Child]:
            child.allergic, child.place = start.holds("allergic_gluten", child), start.one("waiting", child, Place)
        hungry = sorted(world.left("served", Child), key=lambda child: not child.allergic)
        tray_of = self._give(world, hungry)
        for tray in world[Tray]:
            tray.place = start.one("at", tray, Place)
            tray.children = List.store(child for child in hungry if tray_of.get(child) == tray)
        orders = [child for child in hungry if not tray_of.get(child)]
        for place in world[Place]:
            place.children = List.store(child for child in orders if child.place == place)
        bread, content = (linked(self._portions(world, kind)) for kind in ("bread", "content"))
        kitchen = Kitchen(bread=bread, content=content, sandwich=linked(start.all("notexist", Sandwich)))
        spare = Tray(children=List.store([]))  # if there is no tray, there is nobody to serve
        tray = (*sorted(world[Tray], key=lambda tray: tray.place is not None), spare)[0]
        return lunch(kitchen, tray, List.store(world[Tray]), List.store(orders), List.store(world[Place]))

    def _give(self, world: World, hungry: Sequence[Child]) -> dict[Child, Tray | None]:
        """Give sandwiches that there are at the start to children, those on trays first; return the trays of these."""
        start = world.start
        tray_of = {name: tray for tray in world[Tray] for name in start.all("ontray", Sandwich, tray)}
        made = [*tray_of, *start.all("at_kitchen_sandwich", Sandwich)]
        made.sort(key=lambda sandwich: start.holds("no_gluten_sandwich", sandwich))
        for child in hungry:
            fit = [each for each in made if not child.allergic or start.holds("no_gluten_sandwich", each)]
            if fit:
                child.sandwich = fit[0]
                made.remove(fit[0])
        return {child: tray_of.get(child.sandwich) for child in hungry if child.sandwich}

    def _portions(self, world: World, kind: str) -> Sequence[Portion]:
        """Return the portions of bread or content in the kitchen, those without gluten first."""
        found = world.start.all(f"at_kitchen_{kind}", Portion)
        return sorted(found, key=lambda portion: not world.start.holds(f"no_gluten_{kind}", portion))

    def impossible(self, world: World) -> str | None:
        start, hungry = world.start, world.left("served", Child)
        if hungry and not world[Tray]:
            return "there is no tray"
        left = [child for child in hungry if not child.sandwich]
        allergic = [child for child in left if child.allergic]
        for kind in ("bread", "content"):
            portions = self._portions(world, kind)
            if len(portions) < len(left):
                return f"there is not enough {kind}"
            if sum(start.holds(f"no_gluten_{kind}", portion) for portion in portions) < len(allergic):
                return f"there is not enough {kind} without gluten"
        many = len(left) > len(start.all("notexist", Sandwich))
        return "more sandwiches are needed than there may be" if many else None

    def draw(self, n: int, rng: Random) -> Drawn:
        children, places = named("child", n), named("table", rng.randint(1, n // 3 + 2))
        trays = named("tray", rng.randint(1, n // 3 + 2))
        unmade, made = named("sandw", n + rng.randrange(n // 3 + 2)), named("made", max(0, rng.randrange(-2, 3)))
        allergic = [name for name in children if rng.random() < 0.4]
        start = [f"notexist {name}" for name in unmade]
        portions = {kind: named(kind, n + rng.randrange(3)) for kind in ("bread", "content")}
        for kind, names in portions.items():
            start += [f"at_kitchen_{kind} {name}" for name in names]
            start += [f"no_gluten_{kind} {name}" for name in rng.sample(names, len(allergic))]
        start += [f"{'' if name in allergic else 'not_'}allergic_gluten {name}" for name in children]
        start += [f"waiting {name} {rng.choice(places)}" for name in children]
        out = [name for name in trays if rng.random() < 0.15]
        start += [f"at {name} {rng.choice(places)}" if name in out else f"at_kitchen {name}" for name in trays]
        for name in made:
            start.append(f"ontray {name} {rng.choice(trays)}" if rng.random() < 0.7 else f"at_kitchen_sandwich {name}")
            start += [f"no_gluten_sandwich {name}"] * (rng.random() < 0.5)
        goal = [f"served {name}" for name in children if rng.random() < 0.95]
        objects = (children, *portions.values(), unmade + made, trays, places)
        return dict(zip(self.classes, objects, strict=True)), start, goal
