"""Rovers: rovers analyse samples of soil and rock, take images, and send everything to a lander.

One rover after the other goes to the nearest place with a sample for it, until there is none, then to where it takes
the images that are left. Wherever it is it does all that it can there, and it sends what it has where a lander is seen.
"""

from collections.abc import Iterable, Sequence
from itertools import product
from random import Random
from typing import Any

from coc_algorithms.planning import Drawn, PlanningProgram, World, linked, named, operators
from coc_algorithms.planning.roads import Roads, Spot, connected, drawn_roads, mapped, way
from coc_programs import Call, Record, Steps, each, new, procedure, read, write
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


class Waypoint(Record):
    """A place: whether its samples have to be taken, what is seen from it, and whether a rover shall go there."""

    soil: bool
    rock: bool
    view: "View"
    wanted: bool = False
    seen: bool = False


class Lander(Record):
    """A lander, and where it is."""

    place: Waypoint


class Mode(Record):
    """A mode of images, and the next one."""

    next: "Mode | None" = None


class Objective(Record):
    """What images are taken of, and from where it is visible."""

    places: List[Waypoint]


class Photo(Record, letters="P"):
    """An image that has to be taken, unless it is done."""

    objective: Objective
    mode: Mode
    done: bool


class View(Record):
    """What is seen from a waypoint: images that have to be taken, and a lander."""

    photos: List[Photo]
    lander: Lander | None


class Camera(Record):
    """A camera: by what it is calibrated, and its modes."""

    target: Objective
    modes: List[Mode]


class Site(Record, letters="si"):
    """A waypoint as one rover has it: the cameras that can be calibrated there."""

    waypoint: Waypoint
    cameras: List[Camera]


class Shot(Record, letters="sh"):
    """An image that a rover can take, and its camera for that."""

    photo: Photo
    camera: Camera


class Store(Record):
    """A store of a rover, and whether it is full."""

    full: bool


class Gear(Record):
    """The store of a rover, and the samples that it can take."""

    store: Store
    soil: bool
    rock: bool


class Data(Record):
    """What a rover has to send."""

    soils: List[Waypoint]
    rocks: List[Waypoint]
    images: List[Photo]


class Rover(Record):
    """A rover: where it is, what it can do, and what it has to send."""

    spot: Spot
    gear: Gear
    shots: List[Shot]
    data: Data


@procedure
def explore(rovers: List[Rover], samples: List[Waypoint], landing: List[Waypoint]) -> Steps[None]:
    """Take all samples and images, and send them from waypoints for landing, from which a lander is seen."""
    for rover in each(rovers):
        yield collect(rover, samples)
        for shot in each((yield read(rover)).shots):
            seen = yield read(shot)
            if not (yield read(seen.photo)).done:
                yield take(rover, seen.photo, seen.camera)
        data = yield read((yield read(rover)).data)
        if (yield read(data.soils)).next or (yield read(data.rocks)).next or (yield read(data.images)).next:
            yield visit(rover, landing)
            yield work(rover)


@procedure
def collect(rover: Rover, samples: List[Waypoint]) -> Steps[None]:
    """Take all samples that a rover can take, always next what is nearest."""
    gear = yield read((yield read(rover)).gear)
    for sample in each(samples):
        seen = yield read(sample)
        if (seen.soil and gear.soil) or (seen.rock and gear.rock):
            yield write(sample, wanted=True)
    while (yield go(rover)):
        yield work(rover)
    yield mark(samples, False)


@procedure
def take(rover: Rover, photo: Photo, camera: Camera) -> Steps[None]:
    """Take an image at the nearest waypoint from which it and the target are seen; if there is none, at two."""
    target = (yield read(camera)).target
    here = (yield read(target)).places
    there = (yield read((yield read(photo)).objective)).places
    yield mark_both(here, there)
    both = yield go(rover)
    yield mark(here, False)
    if not both:
        yield visit(rover, here)
        yield work(rover)
        yield Calibrate(rover, camera, target, (yield whereabouts(rover)))
        yield visit(rover, there)
        yield shoot(rover, camera, photo)
    yield work(rover)


@procedure
def mark(places: List[Waypoint], wanted: bool) -> Steps[None]:
    """Note whether a rover shall go to some waypoints."""
    for place in each(places):
        yield write(place, wanted=wanted)


@procedure
def mark_both(some: List[Waypoint], others: List[Waypoint]) -> Steps[None]:
    """Note that a rover shall go to what is in two lists."""
    for place in each(others):
        yield write(place, seen=True)
    for place in each(some):
        if (yield read(place)).seen:
            yield write(place, wanted=True)
    for place in each(others):
        yield write(place, seen=False)


@procedure
def visit(rover: Rover, places: List[Waypoint]) -> Steps[None]:
    """Go to the nearest of some waypoints."""
    yield mark(places, True)
    yield go(rover)
    yield mark(places, False)


@procedure
def go(rover: Rover) -> Steps[bool]:
    """Go to the nearest waypoint that is wanted. Returns whether there is one."""
    spots = yield way((yield read(rover)).spot, is_wanted)
    if not spots:
        return False
    here = yield whereabouts(rover)
    for spot in each(spots):
        yield write(rover, spot=spot)
        there = yield whereabouts(rover)
        yield Navigate(rover, here, there)
        here = there
    return True


@procedure
def is_wanted(site: Site) -> Steps[bool]:
    """Return whether a rover shall go to a waypoint."""
    return (yield read((yield read(site)).waypoint)).wanted


@procedure
def whereabouts(rover: Rover) -> Steps[Waypoint]:
    """Return where a rover is."""
    site: Site = (yield read((yield read(rover)).spot)).place
    return (yield read(site)).waypoint


@procedure
def work(rover: Rover) -> Steps[None]:
    """Do where a rover is all that it can do there."""
    place = yield whereabouts(rover)
    yield analyse(rover, place)
    site: Site = (yield read((yield read(rover)).spot)).place
    cameras = (yield read(site)).cameras
    if (yield read(cameras)).next:
        for photo in each((yield read((yield read(place)).view)).photos):
            seen = yield read(photo)
            if not seen.done:
                camera = yield fitting(cameras, seen.mode)
                if camera:
                    yield Calibrate(rover, camera, (yield read(camera)).target, place)
                    yield shoot(rover, camera, photo)
    lander = (yield read((yield read(place)).view)).lander
    if lander:
        yield send(rover, place, lander)


@procedure
def analyse(rover: Rover, place: Waypoint) -> Steps[None]:
    """Take the samples of a waypoint that have to be taken and that a rover can take."""
    seen = yield read(rover)
    gear = yield read(seen.gear)
    if gear.soil and (yield read(place)).soil:
        yield empty(rover, gear.store)
        yield SampleSoil(rover, gear.store, place)
        yield write(gear.store, full=True)
        yield write(place, soil=False, wanted=False)
        soils = yield new(List, first=place, next=(yield read(seen.data)).soils)
        yield write(seen.data, soils=soils)
    if gear.rock and (yield read(place)).rock:
        yield empty(rover, gear.store)
        yield SampleRock(rover, gear.store, place)
        yield write(gear.store, full=True)
        yield write(place, rock=False, wanted=False)
        rocks = yield new(List, first=place, next=(yield read(seen.data)).rocks)
        yield write(seen.data, rocks=rocks)


@procedure
def empty(rover: Rover, store: Store) -> Steps[None]:
    """Empty a store if it is full."""
    if (yield read(store)).full:
        yield DropSample(rover, store)


@procedure
def fitting(cameras: List[Camera], mode: Mode) -> Steps[Camera | None]:
    """Return the first camera with a mode."""
    for camera in each(cameras):
        for supported in each((yield read(camera)).modes):
            if supported == mode:
                return camera
    return None


@procedure
def shoot(rover: Rover, camera: Camera, photo: Photo) -> Steps[None]:
    """Take an image with a camera that is calibrated."""
    place = yield whereabouts(rover)
    seen = yield read(photo)
    yield TakeImage(rover, place, seen.objective, camera, seen.mode)
    yield write(photo, done=True)
    data = (yield read(rover)).data
    images = yield new(List, first=photo, next=(yield read(data)).images)
    yield write(data, images=images)


@procedure
def send(rover: Rover, place: Waypoint, lander: Lander) -> Steps[None]:
    """Send all that a rover has to a lander."""
    there = (yield read(lander)).place
    data = (yield read(rover)).data
    for sample in each((yield read(data)).soils):
        yield SendSoil(rover, lander, sample, place, there)
    for sample in each((yield read(data)).rocks):
        yield SendRock(rover, lander, sample, place, there)
    for photo in each((yield read(data)).images):
        seen = yield read(photo)
        yield SendImage(rover, lander, seen.objective, seen.mode, place, there)
    nothing = yield new(List)
    yield write(data, soils=nothing, rocks=nothing, images=nothing)


Wish = tuple[Any, ...]
"""What has to be sent: what it is, `soil`, `rock` or `image`, and its objects."""


class Rovers(PlanningProgram):
    """n waypoints, from which rovers send samples and images."""

    name = "rovers"
    main = explore
    operators = (Navigate, SampleSoil, SampleRock, DropSample, Calibrate, TakeImage, SendSoil, SendRock, SendImage)
    classes = {
        "waypoint": Waypoint,
        "rover": Rover,
        "store": Store,
        "camera": Camera,
        "objective": Objective,
        "mode": Mode,
        "lander": Lander,
    }
    exactly_one = ("(at ?rover _)", "(at_lander ?lander _)", "(empty ?store) (full ?store)")
    at_most_one = ("(calibration_target ?camera _)",)
    goals = (
        "(communicated_soil_data ?waypoint) (communicated_rock_data ?waypoint)"
        " (communicated_image_data ?objective ?mode)"
    )

    def build(self, world: World) -> Call:
        start = world.start
        for lander in world[Lander]:
            lander.place = start.one("at_lander", lander, Waypoint)
        for objective in world[Objective]:
            objective.places = List.store(start.all("visible_from", objective, Waypoint))
        for camera in world[Camera]:
            camera.target = start.one("calibration_target", camera, Objective) or Objective(places=List.store([]))
            camera.modes = List.store(start.all("supports", camera, Mode))
        linked(world[Mode])
        for store in world[Store]:
            store.full = start.holds("full", store)
        able = self._able(world)
        holders = {wish: self._holder(world, wish, able) for wish in self._wishes(world)}
        photos = {
            wish: Photo(objective=wish[1], mode=wish[2], done=holder is not None)
            for wish, holder in holders.items()
            if wish[0] == "image"
        }
        for place in world[Waypoint]:
            place.soil, place.rock = (holders.get((kind, place), self) is None for kind in ("soil", "rock"))
            seen = {*start.all("visible_from", Objective, place)}
            shown = List.store(photo for photo in photos.values() if photo.objective in seen)
            place.view = View(photos=shown, lander=self._lander(world, place))
        for rover in world[Rover]:
            rover.spot = self._spot(world, rover)
            store = start.one("store_of", Store, rover) or Store(full=False)
            soil, rock = (start.holds(f"equipped_for_{kind}_analysis", rover) for kind in ("soil", "rock"))
            rover.gear = Gear(store=store, soil=soil and store in world[Store], rock=rock and store in world[Store])
            own = able.get(rover, {})
            shots = [Shot(photo=photo, camera=own[wish]) for wish, photo in photos.items() if wish in own]
            rover.shots = List.store(shots)
            held = [wish for wish, holder in holders.items() if holder == rover]
            soils, rocks = (List.store(wish[1] for wish in held if wish[0] == kind) for kind in ("soil", "rock"))
            images = List.store(photos[wish] for wish in held if wish in photos)
            rover.data = Data(soils=soils, rocks=rocks, images=images)
        rovers = sorted(able, key=lambda rover: -len(able[rover].keys() & holders.keys()))
        samples = [place for place in world[Waypoint] if place.soil or place.rock]
        landing = [place for place in world[Waypoint] if place.view.lander]
        return explore(List.store(rovers), List.store(samples), List.store(landing))

    def _wishes(self, world: World) -> list[Wish]:
        """Return what has to be sent."""
        found = [
            (kind, place) for kind in ("soil", "rock") for place in world.left(f"communicated_{kind}_data", Waypoint)
        ]
        return found + [
            ("image", objective, mode)
            for objective in world[Objective]
            for mode in world.goal.all("communicated_image_data", objective, Mode)
            if not world.start.holds("communicated_image_data", objective, mode)
        ]

    def _holder(self, world: World, wish: Wish, rovers: Iterable[Rover]) -> Rover | None:
        """Return a rover that has already what has to be sent."""
        kind, *objects = wish
        held = "have_image" if kind == "image" else f"have_{kind}_analysis"
        return next((rover for rover in rovers if world.start.holds(held, rover, *objects)), None)

    def _able(self, world: World) -> dict[Rover, dict[Wish, Camera | None]]:
        """Return what each rover that can send anything can get, with the camera for it."""
        start, able = world.start, dict[Rover, dict[Wish, Camera | None]]()
        for rover in world[Rover]:
            reached = connected(start.one("at", rover, Waypoint), self._roads(world, rover), world)
            if not any(self._lander(world, place) for place in reached):
                continue
            able[rover] = {}
            for kind in ("soil", "rock"):
                if start.holds(f"equipped_for_{kind}_analysis", rover) and start.all("store_of", Store, rover):
                    places = reached & {*start.all(f"at_{kind}_sample", Waypoint)}
                    able[rover].update(dict.fromkeys((kind, place) for place in places))
            seen = {each for each in world[Objective] if reached & {*start.all("visible_from", each, Waypoint)}}
            for camera in self._cameras(world, rover):
                modes = start.all("supports", camera, Mode) if camera.target in seen else ()
                for objective, mode in product(seen, modes):
                    able[rover].setdefault(("image", objective, mode), camera)
        return able

    def _lander(self, world: World, place: Waypoint) -> Lander | None:
        return next((each for each in world[Lander] if world.start.holds("visible", place, each.place)), None)

    def _cameras(self, world: World, rover: Rover) -> Sequence[Camera]:
        return world.start.all("on_board", Camera, rover) if world.start.holds("equipped_for_imaging", rover) else ()

    def _roads(self, world: World, rover: Rover) -> Roads:
        seen = {place: {*world.start.all("visible", place, Waypoint)} for place in world[Waypoint]}
        start = world.start
        return {
            place: [end for end in start.all("can_traverse", rover, place, Waypoint) if end in seen[place]]
            for place in seen
        }

    def _spot(self, world: World, rover: Rover) -> Spot:
        """Return where a rover is on its own map."""
        roads = self._roads(world, rover)
        sites = {place: Site.unfinished() for place in roads}
        for place, site in sites.items():
            seen = {*world.start.all("visible_from", Objective, place)}
            site.waypoint = place
            site.cameras = List.store(each for each in self._cameras(world, rover) if each.target in seen)
        spots = mapped({sites[place]: [sites[end] for end in ends] for place, ends in roads.items()})
        return spots[sites[world.start.one("at", rover, Waypoint)]]

    def impossible(self, world: World) -> str | None:
        able = self._able(world)
        for wish in self._wishes(world):
            if not self._holder(world, wish, able) and not any(wish in found for found in able.values()):
                kind, *objects = wish
                return f"no rover can get the {kind} of {' '.join(map(world.name, objects))} and send it"
        return None

    def draw(self, n: int, rng: Random) -> Drawn:
        rovers, cameras, objectives = (named(kind, rng.randint(1, 3)) for kind in ("rover", "camera", "objective"))
        places, modes = named("waypoint", n), named("mode", rng.randint(1, 3))
        common, more = drawn_roads(places, rng), drawn_roads(places, rng)
        start = [f"visible {one} {other}" for one, other in {*common, *more} or {(places[0], places[0])}]
        start += [f"at_lander general {rng.choice(places)}"]
        supported = set[str]()
        for number, rover in enumerate(rovers):
            start += [f"at {rover} {rng.choice(places)}", f"store_of {rover}store {rover}", f"empty {rover}store"]
            roads = {*common, *rng.choice([common, more])}
            start += [f"can_traverse {rover} {one} {other}" for one, other in roads]
            kinds = ("soil_analysis", "rock_analysis", "imaging")
            start += [f"equipped_for_{kind} {rover}" for kind in kinds if not number or rng.random() < 0.5]
        for camera in cameras:
            start += [f"calibration_target {camera} {rng.choice(objectives)}", f"on_board {camera} {rovers[0]}"]
            start += [f"on_board {camera} {rovers[-1]}"] * (rng.random() < 0.3 and len(rovers) > 1)
            own = rng.sample(modes, rng.randint(1, len(modes)))
            start += [f"supports {camera} {mode}" for mode in own]
            supported.update(own)
        for objective in objectives:
            start += [f"visible_from {objective} {each}" for each in rng.sample(places, rng.randint(1, (n + 1) // 2))]
        goal = [f"communicated_image_data {each} {mode}" for each in objectives for mode in sorted(supported)]
        for kind in ("soil", "rock"):
            found = [place for place in places if rng.random() < 0.5]
            start += [f"at_{kind}_sample {place}" for place in found]
            goal += [f"communicated_{kind}_data {place}" for place in found]
        objects = (places, rovers, [f"{rover}store" for rover in rovers], cameras, objectives, modes, ["general"])
        goal = [atom for atom in goal if rng.random() < 0.8]
        return dict(zip(self.classes, objects, strict=True)), start, goal
