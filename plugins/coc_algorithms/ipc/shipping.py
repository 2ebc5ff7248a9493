"""Problems of logistics: packages, trucks and airplanes, and where they belong."""

import random
from functools import cached_property

from coc_algorithms.ipc.tasks import Placed


class Shipping(Placed):
    """A problem of logistics."""

    functions = {"at": 1, "in": 1, "in-city": 1}

    def check(self) -> None:
        airports = self.every("airport")
        if wrong := [name for name in self.of("airplane") if self.place_of[name] not in airports]:
            raise ValueError(f"the airplane {wrong[0]} is not at an airport")
        for city in self.of("city"):
            if len(self.airports_of(city)) > 1 and not self.trucks_of(city):
                raise ValueError(f"{city} has several airports and no truck, which is more than this domain knows")
        if vague := self.holding("in", self.goal):
            raise ValueError(f"the goal (in {' '.join(vague[0])}) leaves a package in a vehicle; bring it to a place")
        assert (self.city_of, self.place_of) is not None

    @cached_property
    def city_of(self) -> dict[str, str]:
        """The city of each place."""
        return self.mapping("in-city", total="location")

    @cached_property
    def carrier_of(self) -> dict[str, str]:
        """What each package is in that is in a vehicle at the start."""
        return self.mapping("in")

    @cached_property
    def place_of(self) -> dict[str, str]:
        """Where each vehicle, and each package or the vehicle that it is in, is at the start."""
        at = self.mapping("at")
        for name in (*self.of("truck"), *self.of("airplane"), *self.of("package")):
            carrier = self.carrier_of.get(name, "")
            if (name in at) == bool(carrier):
                raise ValueError(f"{name} is {'in a vehicle and at a place' if carrier else 'nowhere'}")
            at[name] = at[carrier or name]
        return at

    def airports_of(self, city: str) -> list[str]:
        """Return the airports of a city."""
        return [name for (name,) in self.holding("airport") if self.city_of[name] == city]

    def trucks_of(self, city: str) -> list[str]:
        """Return the trucks of a city."""
        return [name for name in self.of("truck") if self.city_of[self.place_of[name]] == city]

    @cached_property
    def moving(self) -> dict[str, tuple[str, str]]:
        """Where each package comes from and where it belongs, of those that are not there or in a vehicle."""
        ways = {name: (self.place_of[name], self.wanted[name]) for name in self.of("package") if name in self.wanted}
        return {name: way for name, way in ways.items() if way[0] != way[1] or name in self.carrier_of}

    @property
    def impossible(self) -> str | None:
        airports = self.every("airport")
        for name, (start, end) in self.moving.items():
            city, other = self.city_of[start], self.city_of[end]
            if city != other and not (self.of("airplane") and self.airports_of(city) and self.airports_of(other)):
                return f"no airplane can bring {name} from {city} to {other}"
            for place, here in ((start, city), (end, other)) if start != end else ():
                if not self.trucks_of(here) and (city == other or place not in airports):
                    return f"there is no truck in {here} for {name}"
        for name, end in self.wanted.items():
            start = self.place_of[name]
            if self.kind_of[name] == "truck" and self.city_of[start] != self.city_of[end]:
                return f"the truck {name} can't go to {end} in another city"
            if self.kind_of[name] == "airplane" and end not in airports and end != start:
                return f"the airplane {name} can't go to {end}, which is not an airport"
        return None


def drawn(n: int, rng: random.Random) -> Shipping:
    """Draw a problem with n packages. In half of them all packages, and nothing else, have goals."""
    usual = rng.random() < 0.5
    cities = rng.randint(1, n // 3 + 2)
    size = rng.randint(1, 2 * n // cities + 2)
    places = [[f"l{city}-{number}" for number in range(1, size + 1)] for city in range(1, cities + 1)]
    airports = [own[0] for own in places]
    everywhere = [name for own in places for name in own]
    trucks = {f"t{city}": rng.choice(own) for city, own in enumerate(places, 1)}
    trucks |= {f"t{cities + 1 + number}": rng.choice(everywhere) for number in range(0 if usual else rng.randrange(3))}
    planes = {f"a{number}": rng.choice(airports) for number in range(1, rng.randint(1, cities // 3 + 1) + 1)}
    packages = {f"p{number}": rng.choice(everywhere) for number in range(1, n + 1)}
    start = [f"package {name}" for name in packages] + [f"truck {name}" for name in trucks]
    start += [f"airplane {name}" for name in planes] + [f"location {name}" for name in everywhere]
    start += [f"city c{city}" for city in range(1, cities + 1)] + [f"airport {name}" for name in airports]
    start += [f"in-city {name} c{city}" for city, own in enumerate(places, 1) for name in own]
    start += [f"at {name} {place}" for name, place in (trucks | planes).items()]
    goal = [f"at {name} {rng.choice(everywhere)}" for name in packages if usual or rng.random() < 0.9]
    for name, place in packages.items():
        loaded = not usual and rng.random() < 0.1
        start.append(f"in {name} {rng.choice([*trucks, *planes])}" if loaded else f"at {name} {place}")
    if not usual:
        own = {name: places[int(place[1:].split("-")[0]) - 1] for name, place in trucks.items()}
        goal += [f"at {name} {rng.choice(own[name])}" for name in trucks if rng.random() < 0.3]
        goal += [f"at {name} {rng.choice(airports)}" for name in planes if rng.random() < 0.3]
    return Shipping.of_texts(start, goal)
