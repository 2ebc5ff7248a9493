"""Faults are injected into a certificate, one at a time, and the checker has to refuse each.

`python benchmarks/certificate_faults.py CERTIFICATE CHECKPOINT --faults 1000` prints a table by kind of fault.
"""

import argparse
import copy
import json
import random
import runpy
import shutil
import tempfile
from collections import Counter
from pathlib import Path

CHECKER = Path(__file__).parents[1] / "examples" / "check_certificate.py"


def rule(document, rng):
    return rng.choice(document["rules"])


def weights(document, folder, rng):
    _flip(folder / "model.safetensors", rng)


def tokenizer(document, folder, rng):
    _flip(folder / "tokenizer.json", rng)


def target(document, folder, rng):
    found = rule(document, rng)
    text = found["target"]
    place = rng.choice([place for place, letter in enumerate(text) if letter.isdigit()])
    digit = rng.choice([digit for digit in "0123456789" if digit != text[place]])
    found["target"] = text[:place] + digit + text[place + 1 :]


def margin(document, folder, rng):
    rule(document, rng)["margin"] += rng.choice([-1, 1]) * 10 ** rng.uniform(-3, 1)


def dropped_rule(document, folder, rng):
    document["rules"].pop(rng.randrange(len(document["rules"])))


def added_rule(document, folder, rng):
    found = dict(rule(document, rng))
    found["prompt"] = found["prompt"].replace("=", "=6", 1)
    document["rules"].insert(rng.randrange(len(document["rules"]) + 1), found)


def count(document, folder, rng):
    found = rng.choice(document["rules"] + document["problems"])
    found[rng.choice(["actions", "steps"])] += rng.choice([-1, 1])


def needed_variable(document, folder, rng):
    needs = rule(document, rng)[rng.choice(["needs", "sets"])]
    number = rng.randrange(len(needs))
    if rng.randrange(2):
        needs.pop(number)
    else:
        needs[number][1] = needs[number][1] % 3 + 1


def goal(document, folder, rng):
    found = rng.choice(document["problems"])
    found["problem"] = found["problem"][:-1] + {"1": "2", "2": "3", "3": "2"}[found["problem"][-1]]


def fingerprint(document, folder, rng):
    text = document["fingerprint"]
    place = rng.randrange(len(text))
    document["fingerprint"] = (
        text[:place] + rng.choice(sorted(set("0123456789abcdef") - {text[place]})) + text[place + 1 :]
    )


KINDS = (
    weights,
    target,
    margin,
    dropped_rule,
    added_rule,
    count,
    needed_variable,
    goal,
    fingerprint,
    tokenizer,
)


def _flip(path, rng):
    data = bytearray(path.read_bytes())
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    path.write_bytes(data)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("certificate", type=Path)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--faults", type=int, default=1000)
    arguments = parser.parse_args()
    checker = runpy.run_path(str(CHECKER))
    whole, rng = json.loads(arguments.certificate.read_text("utf-8")), random.Random(0)
    checker["check"](arguments.certificate.read_bytes(), arguments.checkpoint)
    injected, refused, reasons = Counter(), Counter(), {}
    for number in range(arguments.faults):
        kind = KINDS[number % len(KINDS)]
        document = copy.deepcopy(whole)
        with tempfile.TemporaryDirectory() as scratch:
            folder = arguments.checkpoint
            if kind in (weights, tokenizer):
                folder = Path(shutil.copytree(folder, Path(scratch) / "copy"))
            kind(document, folder, rng)
            injected[kind] += 1
            try:
                checker["check"](json.dumps(document).encode(), folder)
            except Exception as error:
                refused[kind] += 1
                reasons.setdefault(kind, Counter())[_short(str(error))] += 1
            else:
                print("accepted:", kind.__name__, number)
    print("| fault | injected | refused | the reason, most often |\n|---|---|---|---|")
    for kind in KINDS:
        often = reasons[kind].most_common(1)[0][0] if kind in reasons else ""
        print(f"| {kind.__name__.replace('_', ' ')} | {injected[kind]} | {refused[kind]} | {often} |")


def _short(reason):
    """A reason without what it quotes."""
    return " ".join("…" if "'" in word or "=" in word else word for word in reason.split())


if __name__ == "__main__":
    main()
