"""Satellite: instruments on satellites take images of directions.

One instrument after the other, first those for the most images, is switched on and calibrated. Then its satellite turns
to all directions of which it can take images that are left, and takes them.
"""

from collections import Counter
from random import Random

from coc_algorithms.planning import Drawing, Drawn, PlanningProgram, World, named, operators
from coc_programs import Call, Record, Steps, each, procedure, read, write
from coc_programs.library import List

TurnTo, SwitchOn, SwitchOff, Calibrate, TakeImage = operators("""
turn_to ?satellite - satellite ?new ?old - direction: (pointing ?satellite ?old)
    -> (pointing ?satellite ?new) (not (pointing ?satellite ?old))
switch_on ?instrument ?satellite: (on_board ?instrument ?satellite) (power_avail ?satellite)
    -> (power_on ?instrument) (not (calibrated ?instrument)) (not (power_avail ?satellite))
switch_off ?instrument ?satellite: (on_board ?instrument ?satellite) (power_on ?instrument)
    -> (power_avail ?satellite) (not (power_on ?instrument))
calibrate ?satellite ?instrument ?direction: (on_board ?instrument ?satellite)
    (calibration_target ?instrument ?direction) (pointing ?satellite ?direction) (power_on ?instrument)
    -> (calibrated ?instrument)
take_image ?satellite ?direction ?instrument ?mode: (calibrated ?instrument) (on_board ?instrument ?satellite)
    (supports ?instrument ?mode) (power_on ?instrument) (pointing ?satellite ?direction)
    -> (have_image ?direction ?mode)
""")


class Mode(Record):
    """A mode of images, and whether the instrument that is used has it."""

    usable: bool = False


class Image(Record, letters="P"):
    """An image that has to be taken, unless it is done."""

    mode: Mode
    done: bool = False


class Direction(Record):
    """A direction, and the images that have to be taken of it."""

    images: List[Image]


class Satellite(Record):
    """A satellite: where it points, where it shall point, and an instrument that uses all of its power."""

    pointing: Direction
    end: Direction | None
    on: "Instrument | None"


class Instrument(Record):
    """An instrument: its satellite and modes, by what it is calibrated, and whether it has been."""

    satellite: Satellite
    target: Direction
    modes: List[Mode]
    ready: bool = False


@procedure
def observe(instruments: List[Instrument], directions: List[Direction], satellites: List[Satellite]) -> Steps[None]:
    """Take all images with one instrument after the other, and turn satellites to where they shall point."""
    for instrument in each(instruments):
        yield mark(instrument, True)
        satellite = (yield read(instrument)).satellite
        for direction in each(directions):
            if (yield read(satellite)).end != direction:
                yield shoot(instrument, direction)
        end = (yield read(satellite)).end
        if end:
            yield shoot(instrument, end)
        yield mark(instrument, False)
    for satellite in each(satellites):
        end = (yield read(satellite)).end
        if end:
            yield turn(satellite, end)


@procedure
def mark(instrument: Instrument, usable: bool) -> Steps[None]:
    """Note whether the modes of an instrument are usable."""
    for mode in each((yield read(instrument)).modes):
        yield write(mode, usable=usable)


@procedure
def shoot(instrument: Instrument, direction: Direction) -> Steps[None]:
    """Take all images of a direction in modes that are usable."""
    for image in each((yield read(direction)).images):
        seen = yield read(image)
        if not seen.done and (yield read(seen.mode)).usable:
            satellite = (yield read(instrument)).satellite
            if not (yield read(instrument)).ready:
                yield prepare(instrument)
            if not (yield read(image)).done:
                yield turn(satellite, direction)
                yield TakeImage(satellite, direction, instrument, (yield read(image)).mode)
                yield write(image, done=True)


@procedure
def prepare(instrument: Instrument) -> Steps[None]:
    """Switch an instrument on, calibrate it, and take the images of where its satellite points then."""
    seen = yield read(instrument)
    on = (yield read(seen.satellite)).on
    if on and on != instrument:
        yield SwitchOff(on, seen.satellite)
    if on != instrument:
        yield SwitchOn(instrument, seen.satellite)
        yield write(seen.satellite, on=instrument)
    yield turn(seen.satellite, seen.target)
    yield Calibrate(seen.satellite, instrument, seen.target)
    yield write(instrument, ready=True)
    yield shoot(instrument, seen.target)


@procedure
def turn(satellite: Satellite, direction: Direction) -> Steps[None]:
    """Turn a satellite to a direction, unless it points there."""
    old = (yield read(satellite)).pointing
    if old != direction:
        yield TurnTo(satellite, direction, old)
        yield write(satellite, pointing=direction)


class SatelliteProgram(PlanningProgram):
    """n directions, of which instruments on satellites take images."""

    name = "satellite"
    main = observe
    operators = (TurnTo, SwitchOn, SwitchOff, Calibrate, TakeImage)
    classes = {"direction": Direction, "satellite": Satellite, "instrument": Instrument, "mode": Mode}
    exactly_one = ("(pointing ?satellite _)", "(on_board ?instrument _)", "(calibration_target ?instrument _)")
    picture = Drawing("direction", {"pointing": "{0} in {1}", "on_board": "{0} in {1}"}, carriers="satellite")
    goals = "(pointing ?satellite _) (have_image ?direction ?mode)"

    def build(self, world: World) -> Call:
        start, goal, left = world.start, world.goal, self._left(world)
        for direction, modes in left.items():
            direction.images = List.store(Image(mode=mode) for mode in modes)
        for satellite in world[Satellite]:
            on = [each for each in start.all("on_board", Instrument, satellite) if start.holds("power_on", each)]
            satellite.on = on[0] if on and not start.holds("power_avail", satellite) else None
            satellite.pointing = start.one("pointing", satellite, Direction)
            satellite.end = goal.one("pointing", satellite, Direction)
        for instrument in world[Instrument]:
            instrument.satellite = start.one("on_board", instrument, Satellite)
            instrument.target = start.one("calibration_target", instrument, Direction)
            instrument.modes = List.store(start.all("supports", instrument, Mode))
        counts = Counter(mode for modes in left.values() for mode in modes)

        def worth(each: Instrument) -> tuple[int, bool]:
            images = sum(counts[mode] for mode in start.all("supports", each, Mode))
            return images, each.target == each.satellite.pointing

        instruments = sorted(self._usable(world), key=worth, reverse=True)
        directions = [direction for direction in left if left[direction]]
        return observe(List.store(instruments), List.store(directions), List.store(world[Satellite]))

    def _left(self, world: World) -> dict[Direction, list[Mode]]:
        """Return the modes in which images of each direction have to be taken."""
        done = world.start.holds
        wanted = {direction: world.goal.all("have_image", direction, Mode) for direction in world[Direction]}
        return {each: [mode for mode in wanted[each] if not done("have_image", each, mode)] for each in wanted}

    def _usable(self, world: World) -> list[Instrument]:
        """Return the instruments that are on, or can be switched on."""
        power = [each for each in world[Satellite] if each.on or world.start.holds("power_avail", each)]
        return [each for each in world[Instrument] if each.satellite in power]

    def impossible(self, world: World) -> str | None:
        usable = {mode for each in self._usable(world) for mode in world.start.all("supports", each, Mode)}
        lost = [mode for modes in self._left(world).values() for mode in modes if mode not in usable]
        return f"no instrument can be used for {world.name(lost[0])}" if lost else None

    def draw(self, n: int, rng: Random) -> Drawn:
        directions, satellites = named("dir", n), named("sat", rng.randint(1, 3))
        instruments, modes = named("ins", rng.randint(1, 4)), named("mode", rng.randint(1, 3))
        start = [f"power_avail {name}" for name in satellites]
        start += [f"pointing {name} {rng.choice(directions)}" for name in satellites]
        supported = set[str]()
        for name in instruments:
            own = rng.sample(modes, rng.randint(1, len(modes)))
            supported.update(own)
            start += [f"supports {name} {mode}" for mode in own]
            start += [
                f"on_board {name} {rng.choice(satellites)}",
                f"calibration_target {name} {rng.choice(directions)}",
            ]
        goal = [f"have_image {each} {mode}" for each in directions for mode in sorted(supported)]
        goal += [f"pointing {name} {rng.choice(directions)}" for name in satellites]
        objects = (directions, satellites, instruments, modes)
        return dict(zip(self.classes, objects, strict=True)), start, [each for each in goal if rng.random() < 0.6]
