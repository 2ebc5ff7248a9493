"""Check a certificate of `coc certify`: python check_certificate.py CERTIFICATE CHECKPOINT

It needs the standard library and numpy, and shares no code with coc. It reads the weights and the tokenizer of the
checkpoint, and recomputes in float64 the model's answer to every prompt, all prompts that the problems lead to, what
they do, and whether the goals are reached. It knows the puzzles hanoi, pancake and blocksworld. The bounds on rounding
are not recomputed: it checks that each margin is above the one that is stated.
"""

import hashlib
import json
import math
import re
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

NEAR = 1e-4  # how far a margin may be from the one that is stated, since logarithms differ from machine to machine
FILES = ("config.json", "tokenizer.json", "model.safetensors")
TOKENS = 256  # in a pass
NAME = "[A-Za-z]+[0-9]+"
FIELD, ITEM, SYMBOL, SEPARATOR = range(4)


class Refused(Exception):
    """What is wrong with a certificate."""


def require(holds: bool, reason: str) -> None:
    if not holds:
        raise Refused(reason)


def tensors(path: Path) -> dict[str, np.ndarray]:
    """The tensors of a safetensors file."""
    data, found = path.read_bytes(), {}
    start = 8 + int.from_bytes(data[:8], "little")
    for name, entry in json.loads(data[8:start]).items():
        begin, end = entry["data_offsets"]
        found[name] = np.frombuffer(data[start + begin : start + end], "<f4").astype(float).reshape(entry["shape"])
    return found


class Tokenizer:
    """Reads texts as `tokenizer.json` says: names, digits and chunks, or byte-pair encoding."""

    def __init__(self, path: Path) -> None:
        parsed = json.loads(path.read_text("utf-8"))
        self.vocab: dict[str, int] = parsed["model"]["vocab"]
        self.specials = len(parsed["added_tokens"])
        self.ranks = {tuple(merge): rank for rank, merge in enumerate(parsed["model"]["merges"])}
        split = parsed["pre_tokenizer"]
        self.pattern = split["pattern"]["Regex"] if split["type"] == "Split" else None

    def encode(self, text: str) -> list[int]:
        tokens = [token for piece in self.pieces(text) for token in self.merged(piece)]
        require(all(self.vocab.get(token, 0) >= self.specials for token in tokens), f"{text!r} has unknown characters")
        return [self.vocab[token] for token in tokens]

    def pieces(self, text: str) -> list[str]:
        if self.pattern:
            return [found[0] for found in re.finditer(f"{self.pattern}|.", self.normalised(text), re.DOTALL)]
        return re.findall("\n|\u2581[^\u2581\n]*|[^\u2581\n]+", text.replace(" ", "\u2581"))

    def normalised(self, text: str) -> str:
        """Numbers with their units first, in decimal or binary, and lists of names without commas."""
        return re.sub(f"(?P<names>(?<![A-Za-z]){NAME}(?:(?:, )?{NAME})*)|[0-9]+", self.rewritten, text)

    def rewritten(self, found: re.Match[str]) -> str:
        if found["names"]:
            return re.sub("(?<=[0-9])(?=[A-Za-z])", "\u2060", found["names"]).replace(", ", "")
        number = found[0].lstrip("0") or "0"
        return (f"{int(number):b}" if "[01]" in self.pattern else number)[::-1] + "0" * (len(found[0]) - len(number))

    def merged(self, piece: str) -> list[str]:
        if self.pattern and piece in self.vocab:
            return [piece]
        parts = list(piece)
        while len(parts) > 1:
            rank, at = min((self.ranks.get(pair, math.inf), at) for at, pair in enumerate(pairwise(parts)))
            if rank == math.inf:
                break
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
        return parts

    def kinds(self) -> np.ndarray:
        """Which counter each token advances."""
        item = rf"{NAME}|[\[\]()\u2581 ]*,[\[\]()\u2581 ,]*"
        tests = [re.compile(pattern).fullmatch for pattern in (r"[\s\S]*", item, "[0-9]", "\n")]
        tokens = sorted(self.vocab, key=self.vocab.__getitem__)
        return np.array([max(kind for kind, test in enumerate(tests) if test(token)) for token in tokens], np.int8)


GRID = np.arange(-2560, 2561) / 256
SHARE = np.array([(1 + math.erf(x / math.sqrt(2))) / 2 for x in GRID])
DENSITY = np.exp(-(GRID**2) / 2) / math.sqrt(2 * math.pi)
TERMS = GRID * SHARE, (SHARE + GRID * DENSITY) / 256, DENSITY * (1 - GRID**2 / 2) / 256**2


def gelu(x: np.ndarray) -> np.ndarray:
    """The product of x and the normal distribution there, by a Taylor series around a place on a grid, to 1e-8."""
    x = x * 256
    near = np.clip(np.rint(x), -2560, 2560)
    value, slope, bend = (term.take(near.astype(int) + 2560) for term in TERMS)
    return value + (x - near) * (slope + (x - near) * bend)


class Model:
    """The decoder, in float64."""

    def __init__(self, folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text("utf-8"))
        defaults = {"prompt_attention": True, "list_attention": True, "log_scaling": False, "rotary": 0}
        self.config, self.dialects = defaults | config["model"], config["dialects"]
        simple = self.config["rotary"] == 0 and self.config["token_shift"] <= 1
        require(simple and self.config["positions"] != "structural", "this checker does not know the architecture")
        self.weights, self.tokenizer = tensors(folder / "model.safetensors"), Tokenizer(folder / "tokenizer.json")
        self.kinds = self.tokenizer.kinds()

    def margins(self, rules: list[dict[str, Any]], dialect: str) -> np.ndarray:
        """The smallest difference of a token's logit and that of another token, in the target of each rule."""
        first = 1 if len(self.dialects) == 1 else 4 + self.dialects.index(dialect)  # [BOS], or the dialect's token
        alike: dict[tuple[int, bytes], list[tuple[int, list[int]]]] = {}
        for number, rule in enumerate(rules):
            context = [first, *self.tokenizer.encode(rule["prompt"]), *self.tokenizer.encode("\n")]
            ids = [*context, *self.tokenizer.encode(rule["target"]), 2]  # [EOS]
            require(len(ids) <= self.config["max_len"], f"the context ends before the target of {rule['prompt']!r}")
            alike.setdefault((len(context), self.kinds[ids[:-1]].tobytes()), []).append((number, ids))
        found = np.empty(len(rules))
        for (start, kinds), entries in alike.items():
            together = max(1, TOKENS // len(kinds))
            for begin in range(0, len(entries), together):
                which, rows = zip(*entries[begin : begin + together], strict=True)
                found[list(which)] = self.smallest(np.array(rows), start, np.frombuffer(kinds, np.int8))
        return found

    def smallest(self, ids: np.ndarray, start: int, kinds: np.ndarray) -> np.ndarray:
        """The margins of targets that begin at the same place, with tokens of the same kinds."""
        logits = self.hidden(ids[:, :-1], start - 1, kinds) @ self.weights["tokens.weight"].T
        chosen = np.take_along_axis(logits, ids[:, start:, None], 2)
        np.put_along_axis(logits, ids[:, start:, None], -math.inf, 2)
        return (chosen[..., 0] - logits.max(2)).min(1)

    def hidden(self, ids: np.ndarray, start: int, kinds: np.ndarray) -> np.ndarray:
        """The last hidden states from a place on, (rows, places, width)."""
        weights, layers, counts = self.weights, self.config["layers"], self.counts(kinds)
        x, allowed = self.embedded(ids, *counts[::2]), self.allowed(*counts)
        for block in range(layers):
            at, first = f"blocks.{block}.", start if block == layers - 1 else 0
            mixed = self.attention(self.normed(x, at + "norm1"), at, allowed, first)
            x = x[:, first:] + mixed @ weights[at + "out.weight"].T
            inner = gelu(self.normed(x, at + "norm2") @ weights[at + "up.weight"].T + weights[at + "up.bias"])
            x = x + inner @ weights[at + "down.weight"].T + weights[at + "down.bias"]
        return self.normed(x, "norm")

    def normed(self, x: np.ndarray, name: str) -> np.ndarray:
        centred = x - x.mean(-1, keepdims=True)
        deviation = np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5)
        return centred / deviation * self.weights[name + ".weight"] + self.weights[name + ".bias"]

    def counts(self, kinds: np.ndarray) -> np.ndarray:
        """How many fields, items of the field, digits of the item and separators there are, up to each token."""
        fields = items = digits = separators = 0
        rows = []
        for kind in kinds:
            fields, items = (fields + 1, 0) if kind in (FIELD, SEPARATOR) else (fields, items + (kind == ITEM))
            digits, separators = digits + 1 if kind == SYMBOL else 0, separators + (kind == SEPARATOR)
            rows.append((fields, items, digits, separators))
        return np.array(rows).T

    def embedded(self, ids: np.ndarray, fields: np.ndarray, digits: np.ndarray) -> np.ndarray:
        weights, places = self.weights, {"0.": fields, "1.": digits}
        if self.config["positions"] == "absolute":
            places = {"": np.arange(ids.shape[1])}
        tables = [(weights[f"positions.{name}weight"], place) for name, place in places.items()]
        x = weights["tokens.weight"][ids] + sum(table[np.minimum(place, len(table) - 1)] for table, place in tables)
        if self.config["token_shift"]:
            x = x + np.pad(x, ((0, 0), (1, 0), (0, 0)))[:, :-1] @ weights["shifts.0.weight"].T
        return x

    def allowed(self, fields: np.ndarray, items: np.ndarray, digits: np.ndarray, separators: np.ndarray) -> np.ndarray:
        """Which tokens each token attends to."""
        in_target = self.config["list_attention"] | (items == 0) | (digits > 0) | (fields[:, None] != fields)
        seen = np.where((separators > 0)[:, None], in_target, self.config["prompt_attention"])
        return np.tril(seen | np.eye(len(fields), dtype=bool))

    def attention(self, x: np.ndarray, at: str, allowed: np.ndarray, first: int) -> np.ndarray:
        """What the tokens from `first` on attend to, (rows, places, width)."""
        parts, mixed = np.split(x @ self.weights[at + "qkv.weight"].T, 3, 2), list[np.ndarray]()
        sharpness = np.log(np.arange(1, x.shape[1] + 1))[:, None] / 2 if self.config["log_scaling"] else 1.0
        for query, key, value in zip(*(np.split(part, self.config["heads"], 2) for part in parts), strict=True):
            query = (query * sharpness / math.sqrt(query.shape[2]))[:, first:]
            weight = np.where(allowed[first:], query @ key.swapaxes(1, 2), -math.inf)
            weight = np.exp(weight - weight.max(2, keepdims=True))
            mixed.append(weight @ value / weight.sum(2, keepdims=True))
        return np.concatenate(mixed, 2)


def numbers(text: str) -> list[int]:
    return [int(digits) for digits in re.findall("[0-9]+", text)]


class Hanoi:
    """The state is the peg of each disk."""

    action, window, note = r"Move disk \d+ from [123] to [123]", r"PUSH (?P<window>(CALL|MOVE) .*)", "(?!)"
    prompt, problem = "INSTR {}", r"n=\d+ src=[123] dst=[123]"

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

    def act(self, action: str) -> bool:
        needs, sets = self.operator(action)
        before, self.state = self.state, self.state | sets
        return needs.items() <= before.items()


class Pancake:
    """The state is the stack from the bottom up; P1 belongs at the bottom."""

    action, window = r"Flip from where P\d+ (is|must be) located\.", r"PUSH (?P<window>CALL instruction .*)\."
    note = r"(The largest unsorted pancake is|State after (first|second) flip:) .*\.|No pancake is unsorted\."
    prompt, problem = "{}", r"start=\[.*\] & goal=\[.*\]"

    def __init__(self, text: str) -> None:
        self.state, self.goal = map(numbers, text.split(" & "))
        require(self.goal == sorted(self.state) == list(range(1, len(self.goal) + 1)), f"{text!r} is no problem")
        self.first = "CALL instruction " + text.replace("start=", "state=")

    def act(self, action: str) -> bool:
        (number,) = numbers(action)
        if number not in self.goal:
            return False
        place = self.state.index(number) if " is " in action else number - 1
        self.state[place:] = self.state[place:][::-1]
        return True


class Blocksworld:
    """The state is what each block is on. Of 2n moves, n put a block on the table, the others one on the new tower."""

    action, window, note = r"Move block B\d+", r"PUSH (?P<window>CALL type=.*)", "(?!)"
    prompt, problem = "{}", r"start=\[.*\] & goal=\[.*\]"

    def __init__(self, text: str) -> None:
        tower, goal = map(numbers, text.split(" & "))
        require(sorted(tower) == sorted(goal) == list(range(1, len(goal) + 1)), f"{text!r} is no problem")
        self.state, self.goal = (dict(zip(blocks, [0, *blocks], strict=False)) for blocks in (tower, goal))
        self.moves, self.top = 0, 0
        self.first = "CALL type=unstacking " + text

    def act(self, action: str) -> bool:
        (block,) = numbers(action)
        legal = block in self.state and block not in {*self.state.values(), self.top}
        self.state[block] = self.top
        self.moves += 1
        self.top = block if self.moves > len(self.goal) else 0
        return legal


PUZZLES: dict[str, Any] = {"hanoi": Hanoi, "pancake": Pancake, "blocksworld": Blocksworld}
SEPARATORS = {"pda": r"\n| (?=PUSH |OUTPUT )", "tape": r"\n| (?=PTR=|APPEND)"}
APPEND = r"APPEND\[(?P<address>\S+)\] (?P<window>(CALL|MOVE) .*) prev=(?P<prev>\S+)"


class Checker:
    """Checks what a certificate says about its problems."""

    def __init__(self, certificate: dict[str, Any]) -> None:
        domain, self.memory = certificate["domain"], certificate["memory"]
        known = [("hanoi", "tape", "hanoi/linked/symbolic"), *((name, "pda", f"{name}/stack") for name in PUZZLES)]
        require((domain, self.memory, certificate["dialect"]) in known, "this checker does not know the setting")
        require(self.memory == "pda" or certificate["arithmetic"] == "symbolic", "the arithmetic is not symbolic")
        self.puzzle, self.composed, self.order = PUZZLES[domain], certificate["composed"], certificate["rules"]
        self.rules = {rule["prompt"]: rule for rule in self.order}
        require(len(self.rules) == len(self.order), "a prompt has two rules")
        self.stated = {entry["action"]: (dict(entry["needs"]), dict(entry["sets"])) for entry in certificate["actions"]}
        self.targets: dict[str, tuple[list[str], list[str]]] = {}
        self.effects: dict[str, tuple[dict[int, int], dict[int, int], int, int]] = {}

    def prompt(self, instruction: str) -> str:
        return self.puzzle.prompt.format(instruction) + (" prev=prev" if self.memory == "tape" else "")

    def does(self, prompt: str) -> tuple[list[str], list[str]]:
        """The actions of a prompt's target, and the prompts that it leads to, in the order in which they run."""
        require(prompt in self.rules, f"{prompt!r} is reached, and has no rule")
        if prompt not in self.targets:
            actions, windows = self.parsed(self.rules[prompt]["target"])
            self.targets[prompt] = actions, [self.prompt(window) for window in windows[::-1]]
        return self.targets[prompt]

    def parsed(self, target: str) -> tuple[list[str], list[str]]:
        """The actions and the windows of a target, in the order of writing. Those on a tape must be linked in order."""
        actions, windows, linked, free, tape = list[str](), list[str](), "prev", "NEXT_ID", self.memory == "tape"
        *items, last = [*re.split(SEPARATORS[self.memory], target), *([] if tape else [""])]
        for item in items:
            if item.startswith("OUTPUT ") and re.fullmatch(self.puzzle.action, item[7:]):
                actions.append(item[7:])
            elif found := re.fullmatch(APPEND if tape else self.puzzle.window, item):
                windows.append(found["window"])
                in_order = not tape or (found["address"], found["prev"]) == (free, linked)
                require(in_order, f"the windows of {target!r} are not linked in order")
                linked, free = free, f"NEXT_ID+{len(windows)}"
            else:
                require(bool(re.fullmatch(self.puzzle.note, item)), f"{item!r} is no action, window or note")
        require(not tape or last == f"PTR={linked} NEXT_ID={free}", f"{target!r} does not lead to its last window")
        return actions, windows

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
        rule, own = self.rules[prompt], [self.puzzle.operator(action) for action in actions]
        parts = [(*operator, 1, 0) for operator in own] + [self.effects[each] for each in following]
        needs, sets = dict[int, int](), dict[int, int]()
        for needed, changed, *_ in parts:
            for variable, value in needed.items():
                found = sets[variable] if variable in sets else needs.setdefault(variable, value)
                require(found == value, f"no state lets {prompt!r} succeed")
            sets |= changed
        self.effects[prompt] = needs, sets, sum(part[2] for part in parts), 1 + sum(part[3] for part in parts)
        require([self.stated.get(action) for action in actions] == own, f"{prompt!r} has an action with other needs")
        does = rule["does"], [self.order[number]["prompt"] for number in rule["then"]]
        require(does == (actions, following), f"{prompt!r} does something else")
        stated = dict(rule["needs"]), dict(rule["sets"]), rule["actions"], rule["steps"]
        require(stated == self.effects[prompt], f"{prompt!r} has another effect, or other counts")

    def problem(self, claim: dict[str, Any]) -> None:
        """Check that a problem is solved, in as many steps and actions as stated."""
        text, actions, steps = claim["problem"], 0, 0
        require(bool(re.fullmatch(self.puzzle.problem, text)), f"{text!r} is no problem")
        first = self.prompt((puzzle := self.puzzle(text)).first)
        pending = [] if self.composed else [first]
        require(self.order[claim["first"]]["prompt"] == first, f"{text!r} begins with another prompt")
        if self.composed:
            self.compose(first)
            needs, sets, actions, steps = self.effects[first]
            require(needs.items() <= puzzle.state.items(), f"{text!r} has an illegal action")
            puzzle.state |= sets
        while pending and steps <= claim["steps"]:
            done, following = self.does(pending.pop())
            require(all(map(puzzle.act, done)), f"{text!r} has an illegal action in step {steps + 1:,}")
            actions, steps = actions + len(done), steps + 1
            pending += reversed(following)
        require((actions, steps) == (claim["actions"], claim["steps"]), f"{text!r} has other counts")
        require(puzzle.state == puzzle.goal, f"{text!r} is not solved")


def check(certificate: dict[str, Any], folder: Path, kind: type[Checker] = Checker) -> str:
    """What a certificate proves; `Refused` if it proves nothing."""
    require((certificate["format"], certificate["version"]) == ("coc-certificate", 1), "it is of another version")
    digests = [hashlib.sha256((folder / name).read_bytes()).digest() for name in FILES]
    fingerprint = hashlib.sha256(b"".join(digests)).hexdigest()
    require(certificate["fingerprint"] == fingerprint, "the fingerprint is that of another checkpoint")
    checker, model, certain = kind(certificate), Model(folder), True
    for claim in certificate["problems"]:
        checker.problem(claim)
    unreached = [prompt for prompt in checker.rules if prompt not in checker.targets]
    require(not unreached, f"no problem leads to {unreached}")
    margins = model.margins(checker.order, certificate["dialect"])
    for (prompt, rule), margin in zip(checker.rules.items(), margins, strict=True):
        require(margin > 0, f"the model answers {prompt!r} with another target")
        require(abs(margin - rule["margin"]) <= NEAR, f"the margin of {prompt!r} is {margin}")
        certain = certain and rule["bound"] is not None and 0 <= rule["bound"] < rule["margin"]
    verdict = "certified" if certain else "exact on this machine"
    require(certificate["verdict"] == verdict, f"the verdict is {verdict!r}")
    return f"{verdict}: {len(certificate['problems']):,} problems, {len(checker.rules):,} prompts"


def main(kind: type[Checker] = Checker) -> None:
    path, folder = map(Path, sys.argv[1:]) if len(sys.argv) == 3 else sys.exit("arguments: CERTIFICATE CHECKPOINT")
    try:
        print(check(json.loads(path.read_text("utf-8")), folder, kind))
    except Exception as error:
        sys.exit(f"refused: {error if isinstance(error, Refused) else repr(error)}")


if __name__ == "__main__":
    main()
