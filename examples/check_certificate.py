"""Check a certificate of `coc certify`: python check_certificate.py CERTIFICATE CHECKPOINT

It needs the standard library and numpy, and shares no code with coc; the folder `certificate` beside it reads
checkpoints and has the model. It recomputes the model's answer to every prompt and its margin in float64, the bound on
what float32 can change of it, all prompts that the problems lead to, what they do, and whether the goals are reached.
It knows the puzzles hanoi, pancake and blocksworld.
"""

import json
import re
import sys
from itertools import permutations
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parent))

from certificate.checkpoint import Checkpoint
from certificate.model import Model
from certificate.rounding import ASSUMPTIONS, Rounding
from certificate.strict import Refused, fields, parsed, read, require

VERSION = 2
NEAR = 1e-4  # how far a margin may be from the one that is stated, since logarithms differ from machine to machine
NEAR_BOUND = 1e-3  # how far a bound may be, relative to it
MOST_BYTES, MOST_RULES, MOST_WINDOWS = 1 << 26, 1 << 18, 1_000_000
MOST_STEPS, MOST_TAPE = 100_000_000, 1 << 31  # of a run that is not composed
LONGEST_TARGET, MOST_WRITTEN = 65_536, 1_000  # characters and windows
NUMBER, DISK, PEG = "[1-9][0-9]{0,18}", "(?:[1-9]|[1-5][0-9]|6[0-4])", "[123]"
MOST_THINGS = 1_000  # pancakes and blocks
PEGS = "|".join(f"src={src} dst={dst} aux={aux}" for src, dst, aux in permutations((1, 2, 3)))
MOVED = "|".join(f"src={src} dst={dst}" for src, dst in permutations((1, 2, 3), 2))


def stack(letter: str) -> str:
    """Return the pattern of a list of things."""
    return rf"\[(?:{letter}{NUMBER}(?:, {letter}{NUMBER})*)?\]"


def numbers(text: str) -> list[int]:
    """Return the numbers in a text."""
    return [int(digits) for digits in re.findall("[0-9]+", text)]


def is_order(things: list[int], goal: list[int]) -> bool:
    """Return whether both have the numbers from 1 on, each once, and not too many."""
    return sorted(things) == sorted(goal) == list(range(1, len(goal) + 1)) and len(goal) <= MOST_THINGS


class Hanoi:
    """The state is the peg of each disk."""

    action, note = rf"Move disk {DISK} from {PEG} to {PEG}", "(?!)"
    window = r"PUSH (?P<window>{})"
    instruction = rf"CALL n={DISK} (?:{PEGS})|MOVE d={DISK} (?:{MOVED})"
    prompt, problem = "INSTR {}", rf"n={DISK} (?:{MOVED})"

    def __init__(self, text: str) -> None:
        n, src, dst = numbers(text)
        self.state, self.goal = dict.fromkeys(range(1, n + 1), src), dict.fromkeys(range(1, n + 1), dst)
        self.first = f"CALL n={n} src={src} dst={dst} aux={6 - src - dst}"

    @staticmethod
    def operator(action: str) -> tuple[dict[int, int], dict[int, int]]:
        """A move needs its disk on one peg, and all smaller ones on the third."""
        disk, src, dst = numbers(action)
        require(src != dst, f"{action!r} moves nothing")
        return {disk: src} | dict.fromkeys(range(1, disk), 6 - src - dst), {disk: dst}

    @staticmethod
    def fits(window: str) -> bool:
        """Return whether coc accepts an instruction of this form."""
        return True

    def act(self, action: str) -> bool:
        """Apply an action; whether it was legal."""
        needs, sets = self.operator(action)
        before, self.state = self.state, self.state | sets
        return needs.items() <= before.items()


class Pancake:
    """The state is the stack from the bottom up; P1 belongs at the bottom."""

    action, window = rf"Flip from where P{NUMBER} (is|must be) located\.", r"PUSH (?P<window>{})\."
    note = (
        rf"The largest unsorted pancake is P{NUMBER}\.|State after (first|second) flip: {stack('P')}\."
        r"|No pancake is unsorted\."
    )
    instruction = f"CALL instruction state={stack('P')} & goal={stack('P')}"
    prompt, problem = "{}", f"start={stack('P')} & goal={stack('P')}"

    def __init__(self, text: str) -> None:
        self.state, self.goal = map(numbers, text.split(" & "))
        require(is_order(self.state, self.goal) and self.goal == sorted(self.goal), f"{text!r} is no problem")
        self.first = "CALL instruction " + text.replace("start=", "state=")

    @staticmethod
    def fits(window: str) -> bool:
        """Return whether coc accepts an instruction of this form."""
        return is_order(*map(numbers, window.split(" & ")))

    def act(self, action: str) -> bool:
        """Apply an action; whether it was legal."""
        (number,) = numbers(action)
        if number not in self.goal:
            return False
        place = self.state.index(number) if " is " in action else number - 1
        self.state[place:] = self.state[place:][::-1]
        return True


class Blocksworld:
    """The state is what each block is on. Of 2n moves, n put a block on the table, the others one on the new tower."""

    action, window, note = rf"Move block B{NUMBER}", r"PUSH (?P<window>{})", "(?!)"
    instruction = f"CALL type=(?:un)?stacking start={stack('B')} & goal={stack('B')}"
    prompt, problem = "{}", f"start={stack('B')} & goal={stack('B')}"

    def __init__(self, text: str) -> None:
        tower, goal = map(numbers, text.split(" & "))
        require(is_order(tower, goal), f"{text!r} is no problem")
        self.state, self.goal = (dict(zip(blocks, [0, *blocks], strict=False)) for blocks in (tower, goal))
        self.moves, self.top = 0, 0
        self.first = "CALL type=unstacking " + text

    @staticmethod
    def fits(window: str) -> bool:
        """Return whether coc accepts an instruction of this form."""
        start, goal = map(numbers, window.split(" & "))
        return bool(start) if "unstacking" in window else len(start) <= len(goal)

    def act(self, action: str) -> bool:
        """Apply an action; whether it was legal."""
        (block,) = numbers(action)
        legal = block in self.state and block not in {*self.state.values(), self.top}
        self.state[block] = self.top
        self.moves += 1
        self.top = block if self.moves > len(self.goal) else 0
        return legal


PUZZLES: dict[str, Any] = {"hanoi": Hanoi, "pancake": Pancake, "blocksworld": Blocksworld}
SEPARATORS = {"pda": r"\n| (?=PUSH |OUTPUT )", "tape": r"\n| (?=PTR=|APPEND)"}
APPEND = r"APPEND\[(?P<address>\S+)\] (?P<window>{}) prev=(?P<prev>\S+)"

TEXTS = ("format", "verdict", "domain", "memory", "arithmetic", "dialect", "fingerprint")
DOCUMENT = dict.fromkeys(TEXTS, str) | {"version": int, "assumptions": dict, "composed": bool}
DOCUMENT |= {"actions": list, "rules": list, "problems": list}
RULE = {"prompt": str, "target": str, "margin": float, "bound": (float, type(None))}
EFFECT = {"does": list, "then": list, "actions": int, "steps": int, "needs": list, "sets": list}
CLAIM = {"problem": str, "first": int, "actions": int, "steps": int}


def whole(value: Any, end: int) -> bool:
    """Return whether a value is a whole number from 0 to before `end`."""
    return type(value) is int and 0 <= value < end


def same(one: Any, other: Any) -> bool:
    """Return whether two values are written alike in JSON, so that 1 is neither 1.0 nor true."""
    return json.dumps(one) == json.dumps(other)


def by_prompt(rules: list[Any], kinds: dict[str, Any] = RULE) -> dict[str, Any]:
    """Return the rules by their prompts; refuses some that are none, and two for one prompt."""
    require(0 < len(rules) <= MOST_RULES, "it has no rules or too many")
    for number, rule in enumerate(rules):
        fields(rule, f"rule {number}", kinds)
        require(rule["margin"] > 0 and (rule["bound"] is None or rule["bound"] > 0), f"rule {number} has no margin")
        require(len(rule["target"]) <= LONGEST_TARGET, f"the target of rule {number} is too long")
    found = {rule["prompt"]: rule for rule in rules}
    require(len(found) == len(rules), "a prompt has two rules")
    return found


class Checker:
    """Checks what a certificate says about its problems."""

    claim: dict[str, Any] = CLAIM
    version: tuple[str, int] = ("coc-certificate", VERSION)

    def __init__(self, certificate: dict[str, Any]) -> None:
        fields(certificate, "a certificate", DOCUMENT)
        self.order, self.claims, self.composed = (certificate[name] for name in ("rules", "problems", "composed"))
        self.puzzle, self.memory = self.setting(certificate), certificate["memory"]
        require(certificate["assumptions"] == ASSUMPTIONS, "the assumptions are not those of this checker")
        self.rules = by_prompt(self.order, RULE | (EFFECT if self.composed else {}))
        require(len(self.claims) > 0, "it has no problems")
        for claim in self.claims:
            fields(claim, "a problem", self.claim)
            require(whole(claim["first"], len(self.order)), f"{claim['problem']!r} begins with no rule")
        require(len({claim["problem"] for claim in self.claims}) == len(self.claims), "a problem stands there twice")
        for entry in certificate["actions"]:
            fields(entry, "an action", {"action": str, "needs": list, "sets": list})
        self.stated = {entry["action"]: entry for entry in certificate["actions"]}
        require(len(self.stated) == len(certificate["actions"]), "an action stands there twice")
        self.used, self.written = dict[str, None](), 0
        self.targets: dict[str, tuple[list[str], list[str]]] = {}
        self.effects: dict[str, tuple[dict[int, int], dict[int, int], int, int]] = {}

    def setting(self, certificate: dict[str, Any]) -> Any:
        """Return the puzzle; refuses a setting that is not known."""
        domain, memory, arithmetic, dialect = (certificate[name] for name in ("domain", *TEXTS[3:6]))
        known = [("hanoi", "tape", "hanoi/linked/symbolic"), *((name, "pda", f"{name}/stack") for name in PUZZLES)]
        require((domain, memory, dialect) in known, "this checker does not know the setting")
        require(arithmetic == "symbolic" or (memory, arithmetic) == ("pda", "inline"), "the arithmetic is not symbolic")
        require(certificate["composed"] == ((domain, memory) == ("hanoi", "pda")), "only hanoi on a stack is composed")
        return PUZZLES[domain]

    def prompt(self, instruction: str) -> str:
        """Return the prompt of an instruction."""
        return str(self.puzzle.prompt.format(instruction)) + (" prev=prev" if self.memory == "tape" else "")

    def does(self, prompt: str) -> tuple[list[str], list[str]]:
        """Return the actions of a prompt's target, and the prompts that it leads to, in the order in which they run."""
        require(prompt in self.rules, f"{prompt!r} is reached, and has no rule")
        if prompt not in self.targets:
            actions, windows = self.parsed(self.rules[prompt]["target"])
            self.targets[prompt] = actions, [self.prompt(window) for window in windows[::-1]]
            self.written += len(windows)
            few = len(windows) <= MOST_WRITTEN and self.written <= MOST_WINDOWS
            require(few and all(map(self.puzzle.fits, windows)), f"coc would not accept the windows of {prompt!r}")
        return self.targets[prompt]

    def parsed(self, target: str) -> tuple[list[str], list[str]]:
        """Return the actions and the windows of a target, in the order of writing. Those on a tape must be linked in
        order.
        """
        actions, windows, linked, free, tape = list[str](), list[str](), "prev", "NEXT_ID", self.memory == "tape"
        *items, last = [*re.split(SEPARATORS[self.memory], target), *([] if tape else [""])]
        window = (APPEND if tape else self.puzzle.window).format(self.puzzle.instruction)
        for item in items:
            if item.startswith("OUTPUT ") and re.fullmatch(self.puzzle.action, item[7:]):
                actions.append(item[7:])
            elif found := re.fullmatch(window, item):
                windows.append(found["window"])
                in_order = not tape or (found["address"], found["prev"]) == (free, linked)
                require(in_order, f"the windows of {target!r} are not linked in order")
                linked, free = free, f"NEXT_ID+{len(windows)}"
            else:
                require(bool(re.fullmatch(self.puzzle.note, item)), f"{item!r} is no action, window or note")
        require(not tape or last == f"PTR={linked} NEXT_ID={free}", f"{target!r} does not lead to its last window")
        return actions, windows

    def explore(self) -> None:
        """Compute what each problem's first prompt leads to, and how many steps and actions that are."""
        for claim in self.claims:
            text = claim["problem"]
            require(bool(re.fullmatch(self.puzzle.problem, text)), f"{text!r} is no problem")
            first = self.prompt((puzzle := self.puzzle(text)).first)
            require(self.order[claim["first"]]["prompt"] == first, f"{text!r} begins with another prompt")
            self.compose(first)
            needs, sets, actions, steps = self.effects[first]
            require(same([actions, steps], [claim["actions"], claim["steps"]]), f"{text!r} has other counts")
            if self.composed:
                require(needs.items() <= puzzle.state.items(), f"{text!r} has an illegal action")
                require(puzzle.state | sets == puzzle.goal, f"{text!r} is not solved")
        require(self.used.keys() == self.stated.keys(), "the actions that are stated are not those that are used")
        self.all_reached()

    @property
    def subject(self) -> str:
        """What it is about, in a few words."""
        return f"{len(self.claims):,} problems, {len(self.order):,} prompts"

    def all_reached(self) -> None:
        """Refuse rules that no problem leads to."""
        unreached = [prompt for prompt in self.rules if prompt not in self.targets]
        require(not unreached, f"no problem leads to {unreached[:3]}")

    def compose(self, first: str) -> None:
        """Compute the effects of a prompt and of all that it leads to, and compare them with those that are stated."""
        pending, entered = [first], set[str]()
        while pending:
            actions, following = self.does(prompt := pending[-1])
            waiting = [each for each in following if each not in self.effects]
            require(not waiting or prompt not in entered, f"{prompt!r} leads to itself")
            entered.add(prompt)
            pending += waiting
            if not waiting:
                pending.pop()
                self.compare(prompt, actions, following)

    def compare(self, prompt: str, actions: list[str], following: list[str]) -> None:
        """Compute the effect of a prompt from those that it leads to; compare it, where it is stated."""
        own = [self.puzzle.operator(action) if self.composed else ({}, {}) for action in actions]
        parts = [(*operator, 1, 0) for operator in own] + [self.effects[each] for each in following]
        needs, sets = dict[int, int](), dict[int, int]()
        for needed, changed, *_ in parts:
            for variable, value in needed.items():
                found = sets[variable] if variable in sets else needs.setdefault(variable, value)
                require(found == value, f"no state lets {prompt!r} succeed")
            sets |= changed
        counts = [sum(part[2] for part in parts), 1 + sum(part[3] for part in parts)]
        require(counts[1] <= (10**100 if self.composed else MOST_STEPS), f"{prompt!r} leads to too many steps")
        self.effects[prompt] = needs, sets, counts[0], counts[1]
        if not self.composed:
            return
        rule = self.rules[prompt]
        for action, operator in zip(actions, own, strict=True):
            self.used[action] = None
            own_entry = {"action": action, "needs": pairs(operator[0]), "sets": pairs(operator[1])}
            require(same(self.stated.get(action), own_entry), f"{prompt!r} has an action with other needs")
        then = all(whole(number, len(self.order)) for number in rule["then"])
        does = then and [rule["does"], [self.order[number]["prompt"] for number in rule["then"]]]
        require(same(does, [actions, following]), f"{prompt!r} does something else")
        stated = [rule[name] for name in ("needs", "sets", "actions", "steps")]
        require(same(stated, [pairs(needs), pairs(sets), *counts]), f"{prompt!r} has another effect, or other counts")

    def follow(self, claim: dict[str, Any]) -> None:
        """Check step by step that a problem is solved, unless its steps are composed."""
        text, step = claim["problem"], 0
        puzzle = self.puzzle(text)
        pending = [] if self.composed else [self.order[claim["first"]]["prompt"]]
        while pending:
            done, following = self.does(pending.pop())
            step += 1
            require(all(map(puzzle.act, done)), f"{text!r} has an illegal action in step {step:,}")
            pending += reversed(following)
        require(self.composed or puzzle.state == puzzle.goal, f"{text!r} is not solved")
        long = self.memory == "tape" and step * max(len(rule["target"]) for rule in self.order) > MOST_TAPE
        require(not long, f"{text!r} does not fit on a tape")


def pairs(assignment: dict[int, int]) -> list[tuple[int, int]]:
    """Return an assignment as a certificate has it."""
    return sorted(assignment.items())


def check(data: bytes, folder: Path, kind: Any = Checker) -> str:
    """Return what a certificate proves; `Refused` if it proves nothing."""
    require(data.count(b"{") + data.count(b"[") <= 1 << 21, "it has more entries than this checker reads")
    certificate = parsed(data, "the certificate")
    version = certificate.get("format"), certificate.get("version")
    require(same(version, kind.version), "it is of another version: certify again")
    checker, checkpoint = kind(certificate), Checkpoint(folder)
    require(certificate["fingerprint"] == checkpoint.fingerprint, "the fingerprint is that of another checkpoint")
    model = Model(checkpoint)
    require(certificate["dialect"] in model.dialects, "the checkpoint was not trained on the dialect")
    checker.explore()
    certain = all(rule["bound"] is not None and rule["bound"] < rule["margin"] for rule in checker.order)
    verdict = "certified" if certain else "exact on this machine"
    require(certificate["verdict"] == verdict, f"the verdict is {verdict!r}")
    examples = [model.example(rule, certificate["dialect"]) for rule in checker.order]
    for rule, margin in zip(checker.order, model.margins(examples), strict=True):
        require(margin > 0, f"the model answers {rule['prompt']!r} with another target")
        require(abs(margin - rule["margin"]) <= NEAR, f"the margin of {rule['prompt']!r} is {margin}")
    for claim in checker.claims:
        checker.follow(claim)
    checker.all_reached()
    bounded = [
        (rule, example) for rule, example in zip(checker.order, examples, strict=True) if rule["bound"] is not None
    ]
    rounding = Rounding(model)
    for rule, example in bounded:
        margin, bound = rounding.bound(*example)
        require(abs(bound - rule["bound"]) <= NEAR_BOUND * rule["bound"], f"the bound of {rule['prompt']!r} is {bound}")
        require(not certain or bound < margin, f"the bound of {rule['prompt']!r} is above its margin, {margin}")
    checked = (
        f"computed again: {len(examples):,} margins in float64, {len(bounded):,} bounds on the rounding of float32"
    )
    return f"{verdict}: {checker.subject}; {checked}"


def main(kind: Any = Checker) -> None:
    """Check the certificate of the command line."""
    path, folder = map(Path, sys.argv[1:]) if len(sys.argv) == 3 else sys.exit("arguments: CERTIFICATE CHECKPOINT")
    try:
        print(check(read(path, MOST_BYTES), folder, kind))
    except Exception as error:
        sys.exit(f"refused: {error if isinstance(error, Refused) else repr(error)}")


if __name__ == "__main__":
    main()
