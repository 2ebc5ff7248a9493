"""Problems of childsnack: children, what their sandwiches are made of, and where they wait."""

import random
from functools import cached_property

from coc_algorithms.ipc.tasks import Task


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


def drawn(n: int, rng: random.Random) -> Snack:
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
