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
        return np.array([max(kind for kind, test in enumerate(tests) if test(token)) for token in tokens])


erf = np.frompyfunc(math.erf, 1, 1)


class Model:
    """The decoder, in float64."""

    def __init__(self, folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text("utf-8"))
        defaults = {"prompt_attention": True, "list_attention": True, "log_scaling": False, "list_end_rotary": False}
        self.config, self.dialects = defaults | {"rotary": 0} | config["model"], config["dialects"]
        self.weights, self.tokenizer = tensors(folder / "model.safetensors"), Tokenizer(folder / "tokenizer.json")
        self.kinds = self.tokenizer.kinds()

    def margin(self, prompt: str, target: str, dialect: int) -> float:
        """The smallest difference of a token's logit and that of another token."""
        first = 1 if len(self.dialects) == 1 else 4 + dialect  # [BOS], or the dialect's token
        context = [first, *self.tokenizer.encode(prompt + "\n")]
        answer = np.array([*self.tokenizer.encode(target), 2])  # [EOS]
        ids = np.array([*context, *answer[:-1]])
        require(len(ids) < self.config["max_len"], f"the context ends before the target of {prompt!r}")
        logits = self.hidden(ids)[len(context) - 1 :] @ self.weights["tokens.weight"].T
        own = np.arange(len(answer)), answer
        chosen, logits[own] = logits[own], -math.inf
        return float((chosen - logits.max(1)).min())

    def hidden(self, ids: np.ndarray) -> np.ndarray:
        weights, config = self.weights, self.config
        counts = self.counts(ids)
        x = self.embedded(ids, counts)
        allowed, rotations = self.allowed(counts), self.rotations(counts)
        for block in range(config["layers"]):
            at = f"blocks.{block}."
            x = x + self.attention(self.normed(x, at + "norm1"), at, allowed, rotations) @ weights[at + "out.weight"].T
            inner = self.normed(x, at + "norm2") @ weights[at + "up.weight"].T + weights[at + "up.bias"]
            inner = inner * (1 + erf(inner / math.sqrt(2)).astype(float)) / 2
            x = x + inner @ weights[at + "down.weight"].T + weights[at + "down.bias"]
        return self.normed(x, "norm")

    def normed(self, x: np.ndarray, name: str) -> np.ndarray:
        centred = x - x.mean(1, keepdims=True)
        deviation = np.sqrt((centred**2).mean(1, keepdims=True) + 1e-5)
        return centred / deviation * self.weights[name + ".weight"] + self.weights[name + ".bias"]

    def counts(self, ids: np.ndarray) -> dict[str, np.ndarray]:
        """How many fields, items of the field, digits of the item and separators there are, up to each token."""
        fields = items = digits = separators = 0
        rows = []
        for kind in self.kinds[ids]:
            closing = items + 1 if kind in (FIELD, SEPARATOR) and items else 0
            fields, items = (fields + 1, 0) if kind in (FIELD, SEPARATOR) else (fields, items + (kind == ITEM))
            digits, separators = digits + 1 if kind == SYMBOL else 0, separators + (kind == SEPARATOR)
            rows.append((fields, items, digits, separators, closing))
        return dict(zip(("fields", "items", "digits", "separators", "closing"), np.array(rows).T, strict=True))

    def embedded(self, ids: np.ndarray, counts: dict[str, np.ndarray]) -> np.ndarray:
        weights, config = self.weights, self.config
        x = weights["tokens.weight"][ids]
        if config["positions"] == "absolute":
            x = x + weights["positions.weight"][: len(ids)]
        else:
            counters = ("fields", "digits") if config["positions"] == "fields" else ("fields", "items", "digits")
            for number, counter in enumerate(counters):
                table = weights[f"positions.{number}.weight"]
                x = x + table[np.minimum(counts[counter], len(table) - 1)]
        mixed = x
        for distance in range(1, config["token_shift"] + 1):
            before = np.zeros_like(x)
            before[distance:] = x[:-distance]
            mixed = mixed + before @ weights[f"shifts.{distance - 1}.weight"].T
        return mixed

    def allowed(self, counts: dict[str, np.ndarray]) -> np.ndarray:
        """Which tokens each token attends to."""
        causal = np.tril(np.ones((len(counts["fields"]),) * 2, bool))
        if self.config["positions"] == "absolute":
            return causal
        in_target = (counts["separators"] > 0)[:, None]
        same_list = (counts["items"] > 0) & (counts["digits"] == 0) & (counts["fields"][:, None] == counts["fields"])
        unseen = ~in_target & (not self.config["prompt_attention"])
        unseen = unseen | (in_target & same_list & (not self.config["list_attention"]))
        return causal & (~unseen | np.eye(len(causal), dtype=bool))

    def rotations(self, counts: dict[str, np.ndarray]) -> list[tuple[np.ndarray, np.ndarray]]:
        """The cosines and sines of queries and of keys, (seq, planes)."""
        planes = self.config["rotary"]
        speeds = 2.0 * 0.02 ** (np.arange(planes) / max(planes - 1, 1))
        keys = counts["items"] + counts["closing"] * self.config["list_end_rotary"]
        angles = [np.minimum(items, 127)[:, None] * speeds for items in (counts["items"], keys)]
        return [tuple(f(angle).astype(np.float32).astype(float) for f in (np.cos, np.sin)) for angle in angles]

    def attention(self, x: np.ndarray, at: str, allowed: np.ndarray, rotations: list[Any]) -> np.ndarray:
        heads, planes, mixed = self.config["heads"], self.config["rotary"], []
        queries, keys, values = np.split(x @ self.weights[at + "qkv.weight"].T, 3, 1)
        sharpness = np.log(np.arange(1, len(x) + 1))[:, None] / 2 if self.config["log_scaling"] else 1.0
        for query, key, value in zip(*(np.split(part, heads, 1) for part in (queries, keys, values)), strict=True):
            query, key = (rotated(part, planes, *turn) for part, turn in zip((query, key), rotations, strict=True))
            scores = np.where(allowed, query * sharpness @ key.T / math.sqrt(query.shape[1]), -math.inf)
            weight = np.exp(scores - scores.max(1, keepdims=True))
            mixed.append(weight / weight.sum(1, keepdims=True) @ value)
        return np.concatenate(mixed, 1)


def rotated(x: np.ndarray, planes: int, cosines: np.ndarray, sines: np.ndarray) -> np.ndarray:
    a, b, rest = np.split(x, [planes, 2 * planes], 1)
    return np.concatenate([a * cosines - b * sines, a * sines + b * cosines, rest], 1)


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


def check(certificate: dict[str, Any], folder: Path) -> str:
    """What a certificate proves; `Refused` if it proves nothing."""
    require((certificate["format"], certificate["version"]) == ("coc-certificate", 1), "it is of another version")
    digests = [hashlib.sha256((folder / name).read_bytes()).digest() for name in FILES]
    fingerprint = hashlib.sha256(b"".join(digests)).hexdigest()
    require(certificate["fingerprint"] == fingerprint, "the fingerprint is that of another checkpoint")
    checker, model, certain = Checker(certificate), Model(folder), True
    for claim in certificate["problems"]:
        checker.problem(claim)
    for prompt, rule in checker.rules.items():
        require(prompt in checker.targets, f"no problem leads to {prompt!r}")
        margin = model.margin(prompt, rule["target"], model.dialects.index(certificate["dialect"]))
        require(margin > 0, f"the model answers {prompt!r} with another target")
        require(abs(margin - rule["margin"]) <= NEAR, f"the margin of {prompt!r} is {margin}")
        certain = certain and rule["bound"] is not None and 0 <= rule["bound"] < rule["margin"]
    verdict = "certified" if certain else "exact on this machine"
    require(certificate["verdict"] == verdict, f"the verdict is {verdict!r}")
    return f"{verdict}: {len(certificate['problems']):,} problems, {len(checker.rules):,} prompts"


def main() -> None:
    path, folder = map(Path, sys.argv[1:])
    try:
        print(check(json.loads(path.read_text("utf-8")), folder))
    except Exception as error:
        sys.exit(f"refused: {error if isinstance(error, Refused) else repr(error)}")


if __name__ == "__main__":
    main()
