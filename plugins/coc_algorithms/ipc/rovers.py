"""Rovers: rovers analyse samples of soil and rock, take images, and send everything to a lander.

One rover after the other goes to the nearest place with a sample for it, until there is none, then to where it takes
the images that are left, and last to where it sends everything. Wherever it is it takes all images that it can.
"""

from itertools import product
from random import Random
from typing import Annotated, Any, Literal

from coc_algorithms.planning import Drawing, Drawn, PlanningProgram, World, linked, named, operators
from coc_algorithms.planning.roads import Roads, Spot, connected, drawn_roads, mapped, way
from coc_programs import Call, Record, Steps, each, procedure, read, write
from coc_programs.library import List

Navigate, SampleSoil, SampleRock, DropSample, Calibrate, TakeImage, SendSoil, SendRock, SendImage = operators("""
navigate ?rover - rover ?start ?end - waypoint: (can_traverse ?rover ?start ?end) (at ?rover ?start)
    (visible ?start ?end) -> (at ?rover ?end) (not (at ?rover ?start))
sample_soil ?rover ?store ?waypoint: (at ?rover ?waypoint) (at_soil_sample ?waypoint)
    (equipped_for_soil_analysis ?rover) (store_of ?store ?rover) (empty ?store)
    -> (full ?store) (have_soil_analysis ?rover ?waypoint) (not (empty ?store)) (not (at_soil_sample ?waypoint))
sample_rock ?rover ?store ?waypoint: (at ?rover ?waypoint) (at_rock_sample ?waypoint)
    (equipped_for_rock_analysis ?rover) (store_of ?store ?rover) (empty ?store)
    -> (full ?store) (have_rock_analysis ?rover ?waypoint) (not (empty ?store)) (not (at_rock_sample ?waypoint))
drop ?rover ?store: (store_of ?store ?rover) (full ?store) -> (empty ?store) (not (full ?store))
calibrate ?rover ?camera ?objective ?waypoint: (equipped_for_imaging ?rover) (calibration_target ?camera ?objective)
    (at ?rover ?waypoint) (visible_from ?objective ?waypoint) (on_board ?camera ?rover) -> (calibrated ?camera ?rover)
take_image ?rover ?waypoint ?objective ?camera ?mode: (calibrated ?camera ?rover) (on_board ?camera ?rover)
    (equipped_for_imaging ?rover) (supports ?camera ?mode) (visible_from ?objective ?waypoint) (at ?rover ?waypoint)
    -> (have_image ?rover ?objective ?mode) (not (calibrated ?camera ?rover))
communicate_soil_data ?rover - rover ?lander - lander ?sample ?here ?there - waypoint:
    (at ?rover ?here) (at_lander ?lander ?there) (have_soil_analysis ?rover ?sample) (visible ?here ?there)
    -> (communicated_soil_data ?sample)
communicate_rock_data ?rover - rover ?lander - lander ?sample ?here ?there - waypoint:
    (at ?rover ?here) (at_lander ?lander ?there) (have_rock_analysis ?rover ?sample) (visible ?here ?there)
    -> (communicated_rock_data ?sample)
communicate_image_data ?rover - rover ?lander - lander ?objective - objective ?mode - mode ?here ?there - waypoint:
    (at ?rover ?here) (at_lander ?lander ?there) (have_image ?rover ?objective ?mode) (visible ?here ?there)
    -> (communicated_image_data ?objective ?mode)
""")


_Kind = Literal["soil", "rock"]
_KINDS: tuple[_Kind, _Kind] = ("soil", "rock")
_INSIDE = dict.fromkeys(("at", "at_lander"), "{0} in {1}")
_INSIDE |= {f"at_{kind}_sample": f"{kind}@{{0}} in {{0}}" for kind in _KINDS}
_INSIDE |= {f"have_{kind}_analysis": f"{kind}@{{1}} in {{0}}" for kind in _KINDS}


class Waypoint(Record):
    """A place, and the objectives that are visible from it. A rover goes to the nearest one with two marks."""

    objectives: "List[Objective]"
    marks: Annotated[int, range(3)] = 0


class Objective(Record):
    """What images are taken of, from where it is visible, and whether it is from where a rover is."""

    places: List[Waypoint]
    seen: bool = False


class Mode(Record):
    """A mode of images, and the next one."""

    next: "Mode | None" = None


class Camera(Record):
    """A camera, and by what it is calibrated."""

    target: Objective


class Sample(Record, letters="sa"):
    """A sample, and the rover that has it."""

    kind: _Kind
    place: Waypoint
    by: "Rover | None" = None


class Image(Record):
    """An image, and the rover that has it."""

    objective: Objective
    mode: Mode
    by: "Rover | None" = None


class Shot(Record, letters="sh"):
    """An image that a rover can take or has, and its camera for that."""

    image: Image
    camera: Camera


class Store(Record):
    """A store of a rover, and whether it is full."""

    full: bool


class Lander(Record):
    """The lander, where it is, and from where it is visible."""

    place: Waypoint
    landing: List[Waypoint]


class Rover(Record):
    """A rover: where it is, its store, what it can take or has, and whether it has anything to send."""

    spot: Spot
    store: Store
    samples: List[Sample]
    shots: List[Shot]
    laden: bool


@procedure
def explore(rovers: List[Rover], lander: Lander) -> Steps[None]:
    """Take all samples and images with one rover after the other, and send them."""
    for rover in each(rovers):
        for sample in each((yield read(rover)).samples):
            seen = yield read(sample)
            if not seen.by:
                yield write(seen.place, marks=2)
        while (yield go(rover)):
            yield work(rover)
        for shot in each((yield read(rover)).shots):
            if not (yield read((yield read(shot)).image)).by:
                yield take(rover, shot)
        if (yield read(rover)).laden:
            landing = (yield read(lander)).landing
            yield visit(rover, landing, landing)
            yield send(rover, lander)


@procedure
def take(rover: Rover, shot: Shot) -> Steps[None]:
    """Take an image at the nearest waypoint from which it and the target are seen; if there is none, at two."""
    seen = yield read(shot)
    target = (yield read(seen.camera)).target
    here = (yield read(target)).places
    there = (yield read((yield read(seen.image)).objective)).places
    if (yield visit(rover, here, there)):
        yield work(rover)
        return
    yield visit(rover, here, here)
    yield work(rover)
    yield Calibrate(rover, seen.camera, target, (yield whereabouts(rover)))
    yield visit(rover, there, there)
    yield shoot(rover, shot)


@procedure
def visit(rover: Rover, some: List[Waypoint], others: List[Waypoint]) -> Steps[bool]:
    """Go to the nearest waypoint that is in both lists. Returns whether there is one."""
    yield mark(some, 1)
    yield mark(others, 1)
    found = yield go(rover)
    yield mark(some, 2)
    yield mark(others, 2)
    return found


@procedure
def mark(places: List[Waypoint], more: Annotated[int, range(3)]) -> Steps[None]:
    """Add 1 to the marks of waypoints, or take 1 away, which is to add 2, as there are three numbers of marks."""
    for place in each(places):
        yield write(place, marks=((yield read(place)).marks + more) % 3)


@procedure
def go(rover: Rover) -> Steps[bool]:
    """Go to the nearest waypoint with two marks. Returns whether there is one."""
    spots = yield way((yield read(rover)).spot, is_wanted)
    if not spots:
        return False
    for spot in each(spots):
        here = yield whereabouts(rover)
        yield write(rover, spot=spot)
        yield Navigate(rover, here, (yield whereabouts(rover)))
    return True


@procedure
def is_wanted(place: Waypoint) -> Steps[bool]:
    """Return whether a waypoint has two marks."""
    return (yield read(place)).marks == 2


@procedure
def whereabouts(rover: Rover) -> Steps[Waypoint]:
    """Return where a rover is."""
    place: Waypoint = (yield read((yield read(rover)).spot)).place
    return place


@procedure
def work(rover: Rover) -> Steps[None]:
    """Take the samples where a rover is, and all images for which its cameras can be calibrated there."""
    here = yield whereabouts(rover)
    yield write(here, marks=0)
    for sample in each((yield read(rover)).samples):
        seen = yield read(sample)
        if not seen.by and seen.place == here:
            yield analyse(rover, sample)
    yield look(here, True)
    for shot in each((yield read(rover)).shots):
        image = yield read((yield read(shot)).image)
        if not image.by and (yield read(image.objective)).seen:
            camera = (yield read(shot)).camera
            target = (yield read(camera)).target
            if (yield read(target)).seen:
                yield Calibrate(rover, camera, target, here)
                yield shoot(rover, shot)
    yield look(here, False)


@procedure
def look(place: Waypoint, seen: bool) -> Steps[None]:
    """Note whether what is visible from a waypoint is visible from where a rover is."""
    for objective in each((yield read(place)).objectives):
        yield write(objective, seen=seen)


@procedure
def analyse(rover: Rover, sample: Sample) -> Steps[None]:
    """Take a sample where a rover is."""
    store = (yield read(rover)).store
    if (yield read(store)).full:
        yield DropSample(rover, store)
    seen = yield read(sample)
    if seen.kind == "soil":
        yield SampleSoil(rover, store, seen.place)
    else:
        yield SampleRock(rover, store, seen.place)
    yield write(store, full=True)
    yield write(sample, by=rover)
    yield write(rover, laden=True)


@procedure
def shoot(rover: Rover, shot: Shot) -> Steps[None]:
    """Take an image with a camera that is calibrated."""
    seen = yield read(shot)
    image = yield read(seen.image)
    yield TakeImage(rover, (yield whereabouts(rover)), image.objective, seen.camera, image.mode)
    yield write(seen.image, by=rover)
    yield write(rover, laden=True)


@procedure
def send(rover: Rover, lander: Lander) -> Steps[None]:
    """Send all that a rover has to the lander."""
    here = yield whereabouts(rover)
    there = (yield read(lander)).place
    for sample in each((yield read(rover)).samples):
        seen = yield read(sample)
        if seen.by == rover:
            if seen.kind == "soil":
                yield SendSoil(rover, lander, seen.place, here, there)
            else:
                yield SendRock(rover, lander, seen.place, here, there)
    for shot in each((yield read(rover)).shots):
        image = yield read((yield read(shot)).image)
        if image.by == rover:
            yield SendImage(rover, lander, image.objective, image.mode, here, there)


Wish = tuple[Any, ...]
"""What has to be sent: `soil` or `rock` and a waypoint, or `image`, an objective and a mode."""


class Rovers(PlanningProgram):
    """n waypoints, from which rovers send samples and images to a lander."""

    name = "rovers"
    main = explore
    operators = (Navigate, SampleSoil, SampleRock, DropSample, Calibrate, TakeImage, SendSoil, SendRock, SendImage)
    classes = {kind.__name__.lower(): kind for kind in (Waypoint, Rover, Store, Camera, Objective, Mode, Lander)}
    exactly_one = ("(at ?rover _)", "(at_lander ?lander _)", "(empty ?store) (full ?store)")
    at_most_one = ("(calibration_target ?camera _)",)
    picture = Drawing("waypoint", _INSIDE, carriers="rover lander", implied="empty", ways="visible")
    goals = (
        "(communicated_soil_data ?waypoint) (communicated_rock_data ?waypoint)"
        " (communicated_image_data ?objective ?mode)"
    )
    sizes = range(1, 201)

    def build(self, world: World) -> Call:
        start = world.start
        if len(world[Lander]) != 1:
            raise ValueError(f"there are {len(world[Lander])} landers; this domain has one")
        (lander,) = world[Lander]
        lander.place = start.one("at_lander", lander, Waypoint)
        lander.landing = List.store(start.all("visible", Waypoint, lander.place))
        for objective in world[Objective]:
            objective.places = List.store(start.all("visible_from", objective, Waypoint))
        for place in world[Waypoint]:
            place.objectives = List.store(start.all("visible_from", Objective, place))
        for camera in world[Camera]:
            camera.target = start.one("calibration_target", camera, Objective) or Objective(places=List.store([]))
        for store in world[Store]:
            store.full = start.holds("full", store)
        linked(world[Mode])
        wishes, able = self._wishes(world), {rover: self._able(world, rover) for rover in world[Rover]}
        for wish, record in wishes.items():
            record.by = next((rover for rover in able if able[rover].get(wish) == rover), None)
        for rover in world[Rover]:
            own = {wish: each for wish, each in wishes.items() if wish in able[rover] and each.by in (None, rover)}
            images = [(image, able[rover][wish]) for wish, image in own.items() if isinstance(image, Image)]
            spare = Camera(target=Objective(places=List.store([])))  # for images that a rover has already
            shots = [Shot(image=image, camera=spare if by == rover else by) for image, by in images]
            rover.spot = mapped(self._roads(world, rover))[start.one("at", rover, Waypoint)]
            rover.store = start.one("store_of", Store, rover) or Store(full=False)
            rover.samples = List.store(each for each in own.values() if isinstance(each, Sample))
            rover.shots = List.store(shots)
            rover.laden = any(each.by for each in own.values())
        rovers = sorted(world[Rover], key=lambda rover: -len(able[rover].keys() & wishes))
        return explore(List.store(rovers), lander)

    def _wishes(self, world: World) -> dict[Wish, Any]:
        """Return what has to be sent."""
        found = dict[Wish, Any]()
        for kind in _KINDS:
            for place in world.left(f"communicated_{kind}_data", Waypoint):
                found[kind, place] = Sample(kind=kind, place=place)
        for objective in world[Objective]:
            for mode in world.goal.all("communicated_image_data", objective, Mode):
                if not world.start.holds("communicated_image_data", objective, mode):
                    found["image", objective, mode] = Image(objective=objective, mode=mode)
        return found

    def _able(self, world: World, rover: Rover) -> dict[Wish, Any]:
        """Return what a rover can send, with its camera for an image, and with the rover for what it has already."""
        start = world.start
        reached = connected(start.one("at", rover, Waypoint), self._roads(world, rover), world)
        if reached.isdisjoint(start.all("visible", Waypoint, start.one("at_lander", world[Lander][0], Waypoint))):
            return {}
        seen = [each for each in world[Objective] if not reached.isdisjoint(start.all("visible_from", each, Waypoint))]
        cameras = start.all("on_board", Camera, rover) if start.holds("equipped_for_imaging", rover) else ()
        found: dict[Wish, Any] = {
            ("image", *each): camera
            for camera in cameras
            if camera.target in seen
            for each in product(seen, start.all("supports", camera, Mode))
        }
        for objective in world[Objective]:
            found |= {("image", objective, mode): rover for mode in start.all("have_image", rover, objective, Mode)}
        for kind in _KINDS:
            if start.holds(f"equipped_for_{kind}_analysis", rover) and start.all("store_of", Store, rover):
                found |= {(kind, each): None for each in start.all(f"at_{kind}_sample", Waypoint) if each in reached}
            found |= {(kind, each): rover for each in start.all(f"have_{kind}_analysis", rover, Waypoint)}
        return found

    def _roads(self, world: World, rover: Rover) -> Roads:
        start = world.start
        return {
            here: [end for end in start.all("can_traverse", rover, here, Waypoint) if start.holds("visible", here, end)]
            for here in world[Waypoint]
        }

    def impossible(self, world: World) -> str | None:
        able = {wish for rover in world[Rover] for wish in self._able(world, rover)}
        lost = [wish for wish in self._wishes(world) if wish not in able]
        return f"no rover can send the {lost[0][0]} of {' '.join(map(world.name, lost[0][1:]))}" if lost else None

    def draw(self, n: int, rng: Random) -> Drawn:
        kinds = ("rover", "camera", "objective", "mode")
        rovers, cameras, objectives, modes = (named(kind, rng.randint(1, 3)) for kind in kinds)
        places, stores = named("waypoint", n), [f"{each}store" for each in rovers]
        common = drawn_roads(places, rng) or [f"{places[0]} {places[0]}"]
        start = [f"visible {ends}" for ends in dict.fromkeys(common + drawn_roads(places, rng))]
        start += [f"at_lander general {rng.choice(places)}"]
        for rover in rovers:
            start += [f"at {rover} {rng.choice(places)}", f"store_of {rover}store {rover}", f"empty {rover}store"]
            start += [f"can_traverse {rover} {ends}" for ends in common]
            means = ("soil_analysis", "rock_analysis", "imaging")
            start += [f"equipped_for_{each} {rover}" for each in means if rover == rovers[0] or rng.random() < 0.5]
        goal = []
        for camera in cameras:
            start += [f"calibration_target {camera} {rng.choice(objectives)}", f"on_board {camera} {rovers[0]}"]
            own = rng.sample(modes, rng.randint(1, len(modes)))
            start += [f"supports {camera} {mode}" for mode in own]
            goal += [f"communicated_image_data {each} {mode}" for each in objectives for mode in own]
        for objective in objectives:
            start += [f"visible_from {objective} {place}" for place in rng.sample(places, rng.randint(1, (n + 1) // 2))]
        for kind in _KINDS:
            found = [place for place in places if rng.random() < 0.5]
            start += [f"at_{kind}_sample {place}" for place in found]
            goal += [f"communicated_{kind}_data {place}" for place in found]
        objects = (places, rovers, stores, cameras, objectives, modes, ["general"])
        goal = [atom for atom in dict.fromkeys(goal) if rng.random() < 0.8]
        return dict(zip(self.classes, objects, strict=True)), start, goal
