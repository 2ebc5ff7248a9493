"""Check a certificate of runs on a heap: python check_heap_certificate.py CERTIFICATE CHECKPOINT

It lies beside `check_certificate.py`, whose forward pass it uses, and shares no code with coc either. It knows the
puzzles blocks, pancake, blocksworld and blocksworld-extended. What the memory holds at the start of a run is stated in
the certificate, and is not recomputed here. So what is proved is that the model, from there on, reaches the goal by
legal actions.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parent))

from certificate.strict import require
from check_certificate import (
    CLAIM,
    MOST_STEPS,
    MOST_THINGS,
    MOST_WINDOWS,
    MOST_WRITTEN,
    NUMBER,
    Blocksworld,
    Checker,
    Pancake,
    main,
    numbers,
    same,
    stack,
)

NAME = re.compile(r"(?<![A-Za-z0-9])([A-Za-z]+)([0-9]+)")
TABLE, HAND = 0, -1
BLOCK, NAMED, TOWERS = f"B{NUMBER}", "[A-Za-z][A-Za-z0-9_-]*", r"\[(?:\[{0}(?:, {0})*\](?:, \[{0}(?:, {0})*\])*)?\]"
ATOM = f"(?:on {NAMED} {NAMED}|(?:ontable|clear|holding) {NAMED}|handempty)"


class Blocks:
    """The state is what each block is on: a block, the table or the hand. Names are numbered, short ones first."""

    action = rf"(Pick up|Put down) {BLOCK}|Stack {BLOCK} on {BLOCK}|Unstack {BLOCK} from {BLOCK}"
    note = r"Every block is where it belongs\."
    problem = rf"start={TOWERS.replace('{0}', NAMED)} & hand=\[(?:{NAMED})?\] & goal=\[(?:{ATOM}(?:, {ATOM})*)?\]"

    def __init__(self, text: str) -> None:
        start, hand, goal = re.fullmatch(r"start=\[(.*)\] & hand=\[(.*)\] & goal=\[(.*)\]", text).groups()  # type: ignore[union-attr]
        towers = [tower.split(", ") for tower in re.findall(r"\[([^][]+)\]", start)]
        names = sorted([name for tower in towers for name in tower] + [hand] * bool(hand), key=lambda it: (len(it), it))
        require(len(set(names)) == len(names) <= MOST_THINGS, f"{text!r} has a block twice, or too many")
        self.numbers = {name: number for number, name in enumerate(names, 1)}
        self.state = {self.numbers[hand]: HAND} if hand else {}
        for tower in towers:
            blocks = [self.numbers[name] for name in tower]
            self.state |= dict(zip(blocks, [TABLE, *blocks], strict=False))
        self.goal = [atom.split(" ") for atom in goal.split(", ")] if goal else []

    def act(self, action: str) -> bool:
        """Apply an action; whether it was legal."""
        block, lower = [*map(int, re.findall("[0-9]+", action)), TABLE][:2]
        held, known = [each for each, place in self.state.items() if place == HAND], {block, lower} <= {0, *self.state}
        if action.startswith(("Pick", "Unstack")):
            legal = known and not held and self.state[block] == lower and block not in self.state.values()
            self.state[block] = HAND
        else:
            legal = known and held == [block] and lower != block and (lower == 0 or lower not in self.state.values())
            self.state[block] = lower
        return legal

    @property
    def solved(self) -> bool:
        """Whether all atoms of the goal hold."""
        on = {name: self.state[number] for name, number in self.numbers.items()}
        holds: dict[str, Callable[..., bool]] = {
            "on": lambda upper, lower: on[upper] == self.numbers[lower],
            "ontable": lambda block: on[block] == TABLE,
            "clear": lambda block: self.numbers[block] not in on.values() and on[block] != HAND,
            "holding": lambda block: on[block] == HAND,
            "handempty": lambda: HAND not in on.values(),
        }
        return all(holds[predicate](*names) for predicate, *names in self.goal)


class Whole:
    """A puzzle whose goal is one state."""

    state: Any
    goal: Any

    @property
    def solved(self) -> bool:
        """Whether the state is the goal."""
        return bool(self.state == self.goal)


class Flipped(Whole, Pancake):
    """Pancakes, without notes of the whole stack."""

    note = r"No pancake is unsorted\."


class Towers(Whole, Blocksworld):
    """The paper's BlocksWorld."""


class SeveralTowers(Towers):
    """The paper's Extended BlocksWorld, in which the blocks start in several towers."""

    problem = f"start={TOWERS.replace('{0}', BLOCK)} & goal={stack('B')}"

    def __init__(self, text: str) -> None:
        super().__init__(text)
        for tower in re.findall(r"\[([^][]+)\]", text.partition(" & ")[0]):
            self.state[numbers(tower)[0]] = TABLE


PUZZLES: dict[str, Any] = {
    "blocks": Blocks,
    "pancake": Flipped,
    "blocksworld": Towers,
    "blocksworld-extended": SeveralTowers,
}


ARRANGE = ["arrange hand={m} build={m} clear={m}", "arrange.2 clear={m} AT {n}", "arrange.3 build={n} clear={m} AT {n}"]
ARRANGE += ["arrange.4 build={m} AT {n}", "arrange.[15] build={m} clear={m}"]
ARRANGE += ["put.1 last={m} AT {n}", "put.[23] block={n} AT {n}"]
SORT = ["sort.1 top={n} AT {n}", "sort.2 below={m} pancake.next={m} AT {n}"]
MOVED = "B", ["rearrange.1 goal={n} AT {n}", "rearrange.2 AT {n}"], "below={m} next_tower={m} goal_above={m}"
PLACED = "below={m} above={m} next_tower={m} goal_on={m} held=(?:yes|no) placed=(?:yes|no) next={m}"
FORMS = {
    "blocks": ("B", ARRANGE, PLACED),
    "pancake": ("P", SORT, "below={m} above={m} next={m}"),
    "blocksworld": MOVED,
    "blocksworld-extended": MOVED,
}
"""The letter of names, the instructions, what a record says: {n} is a name, {m} one or none."""


class HeapChecker(Checker):
    """Follows each run on a stack with records, by the rules of the certificate."""

    claim = CLAIM | {"window": str}

    def setting(self, certificate: dict[str, Any]) -> Any:
        domain, notation = (
            certificate["domain"],
            {"symbolic": "symbolic", "inline": "numeric"}[certificate["arithmetic"]],
        )
        known = domain in PUZZLES and certificate["memory"] == "heap" and not certificate["composed"]
        known = known and certificate["dialect"] == f"{domain}/heap-2/{notation}" and not certificate["actions"]
        require(known, "this checker does not know the setting")
        self.by_place, (letter, instructions, contents) = notation == "symbolic", FORMS[domain]
        name = f"{letter}{NUMBER}"
        links = {"n": name, "m": f"(?:-|{name})"}
        calls = "|".join(instructions).replace(".", r"\.").format(**links)
        contents = contents.format(**links)
        some = "".join(f"(?:(?:(?<=: )| ){field})?" for field in contents.split(" "))
        self.instruction = f"CALL (?:{calls})"
        self.record = f"(?P<name>{name}): (?P<contents>{contents})"
        self.change = f"(?P<name>{name}): (?P<contents>(?=[a-z]){some})"
        return PUZZLES[domain]

    def numbered(self, text: str) -> tuple[str, list[str]]:
        """Return a prompt, in which names are numbered by place if that is the notation; and the names that stand
        there.
        """
        names = [found[0] for found in NAME.finditer(text)]
        places = iter(range(1, len(names) + 1))
        return NAME.sub(lambda found: f"{found[1]}{next(places)}", text) if self.by_place else text, names

    def named(self, target: str, names: list[str]) -> str:
        """Return a target, with the names of the problem."""
        if not self.by_place:
            return target
        require(all(0 < int(n) <= len(names) for _, n in NAME.findall(target)), f"{target!r} has another name")
        return NAME.sub(lambda found: names[int(found[2]) - 1], target)

    def explore(self) -> None:
        """What a prompt leads to depends on the records, so there is nothing to compute before the runs."""

    def follow(self, claim: dict[str, Any]) -> None:
        """Check step by step that a problem is solved, in as many steps and actions as stated."""
        text, actions, steps = claim["problem"], 0, 0
        require(bool(re.fullmatch(self.puzzle.problem, text)), f"{text!r} is no problem")
        require(claim["steps"] <= MOST_STEPS, f"{text!r} has too many steps")
        puzzle, (*lines, first) = self.puzzle(text), claim["window"].split("\n")
        records = {found["name"]: found["contents"] for line in lines if (found := re.fullmatch(self.record, line))}
        require(len(records) == len(lines), f"{text!r} begins with records that are none")
        pending = [first]
        while pending:
            require(len(pending) <= claim["steps"] - steps, f"{text!r} has other counts: it takes more steps")
            require(len(pending) + len(records) <= MOST_WINDOWS, f"{text!r} needs too large a memory")
            instruction = pending.pop()
            _, reads, name = instruction.rpartition(" AT ")
            require(bool(re.fullmatch(self.instruction, instruction)), f"{instruction!r} is no instruction")
            require(not reads or name in records, f"{instruction!r} names no record")
            prompt, names = self.numbered(f"{instruction}: {records[name]}" if reads else instruction)
            require(prompt in self.rules, f"{prompt!r} is reached, and has no rule")
            require(steps > 0 or self.order[claim["first"]]["prompt"] == prompt, f"{text!r} begins with another prompt")
            self.targets[prompt], steps, changes, pushed = ([], []), steps + 1, 0, list[str]()
            for item in self.named(self.rules[prompt]["target"], names).split("\n"):
                if item.startswith("OUTPUT ") and re.fullmatch(self.puzzle.action, item[7:]):
                    require(puzzle.act(item[7:]), f"{text!r} has an illegal action in step {steps:,}")
                    actions += 1
                elif found := re.fullmatch(self.change, item.removeprefix("WRITE ")):
                    require(found["name"] in records, f"{prompt!r} changes a record that is not there")
                    before, fields = (text.split(" ") for text in (records[found["name"]], found["contents"]))
                    said = dict(field.split("=") for field in before + fields)
                    records[found["name"]] = " ".join(map("=".join, said.items()))
                    changes += 1
                elif item.startswith("WRITE "):
                    pushed.append(item.removeprefix("WRITE "))
                else:
                    require(bool(re.fullmatch(self.puzzle.note, item)), f"{item!r} is no action, window or note")
            missing = [each for each in pushed if " AT " in each and each.rpartition(" AT ")[2] not in records]
            require(not missing, f"{missing[:1]} names no record")
            require(changes + len(pushed) <= MOST_WRITTEN, f"{prompt!r} writes too many windows")
            pending += pushed
        require(same([actions, steps], [claim["actions"], claim["steps"]]), f"{text!r} has other counts")
        require(puzzle.solved, f"{text!r} is not solved")


if __name__ == "__main__":
    main(HeapChecker)
