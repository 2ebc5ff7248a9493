"""Run the thirty algorithms of CLRS-30 as Scheme programs, and compare what they print with the outputs of dm-clrs.

Needs dm-clrs (`pip install dm-clrs`), and a command that runs a Scheme file:

    python run.py --n 16 --instances 5 --seed 1 --run "guile --r7rs --no-auto-compile -q"
    python run.py --test --run "coc run -d scheme -q --problem" bfs dijkstra

Real numbers in the inputs are multiples of a power of two. All those of an instance are multiplied by one power of two,
so that they become integers and no digit is lost; comparisons of sums, and of products of equally many factors, stay.
They have about 16 digits, which makes for many steps. With --decimals dm-clrs itself truncates them, and each is
multiplied by a power of ten; then a comparison that dm-clrs makes in floating point can differ in a tie.
"""

import argparse
import json
import logging
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

logging.disable(logging.WARNING)
import clrs  # noqa: E402
import numpy as np  # noqa: E402

HERE = Path(__file__).parent
NAMES = sorted(clrs.CLRS_30_ALGS_SETTINGS)
STEPS = re.compile(r"([\d,]+) steps")


def drawn(name, n, instances, seed, decimals=None):
    """Yield the inputs and the outputs of instances of an algorithm, each a list of nested lists of integers."""
    sampler, _ = clrs.build_sampler(name, -1, seed=seed, track_max_steps=False, truncate_decimals=decimals, length=n)
    for _ in range(instances):
        batch = sampler.next(1)
        outputs = [plain(probe).tolist() for probe in batch.outputs]
        yield inputs_of(batch.features.inputs, decimals), outputs[0] if len(outputs) == 1 else outputs


def plain(probe):
    """Return the data of one instance as an array: classes and one-hot inputs as indices, the rest as it is."""
    data = probe.data[0]
    if probe.type_ == clrs.Type.CATEGORICAL:
        return np.abs(data).argmax(-1)
    return data if probe.data.dtype.kind == "f" and probe.type_ == clrs.Type.SCALAR else data.astype(int)


def inputs_of(probes, decimals=None):
    """Return the inputs in the order of the specification, without those that follow from others."""
    given = {probe.name: plain(probe) for probe in probes if probe.name not in ("pos", "adj")}
    if "string" in given:  # of two strings, 0 marks the letters of the first
        second, key = given["string"].astype(bool), given["key"]
        return [key[~second].tolist(), key[second].tolist()]
    if "A" in given and "s" in given:
        given["s"] = given["s"].argmax()
    real = [data for data in given.values() if data.dtype.kind == "f"]
    scale = max((Fraction(x).denominator for data in real for x in data.flat), default=1)
    if decimals and scale > 1:
        scale = 10**decimals
    return [scaled(data.tolist(), scale if data.dtype.kind == "f" else 1) for data in given.values()]


def scaled(data, scale):
    """Return nested lists of numbers multiplied, as integers."""
    return [scaled(each, scale) for each in data] if isinstance(data, list) else round(Fraction(data) * scale)


def datum(data):
    """Return nested lists of integers as Scheme writes them."""
    return f"#({' '.join(map(datum, data))})" if isinstance(data, list) else str(data)


def program(name, inputs):
    """Return the text of the program for one instance: the file of the algorithm, and one line that calls it."""
    call = " ".join([name, *(f"'{datum(each)}" for each in inputs)])
    return f"{(HERE / f'{name}.scm').read_text('utf-8')}\n(write ({call}))\n"


def printed(text):
    """Return what a program has printed as nested lists; None if that is not one datum."""
    found = re.findall(r"^[#()\d\s-]+$", text, re.M)
    try:
        return json.loads(re.sub(r"\s+", ",", found[-1].strip().replace("#(", "[").replace(")", "]")))
    except (IndexError, json.JSONDecodeError):
        return None


def checked(name, options, folder):
    """Print the row of an algorithm, with average steps and seconds; return whether all instances are right."""
    n, seed, instances = options.n, options.seed, options.instances
    if options.test:
        split, more = clrs.CLRS30["test"], clrs.CLRS_30_ALGS_SETTINGS[name]["num_samples_multiplier"]
        n, seed, instances = split["length"], split["seed"], split["num_samples"] * more
    right, steps, seconds = 0, 0, 0.0
    for number, (inputs, outputs) in enumerate(drawn(name, n, instances, seed, options.decimals)):
        path = folder / f"{name}-{n}-{seed}-{number}.scm"
        path.write_text(program(name, inputs), "utf-8")
        start = time.perf_counter()
        done = subprocess.run([*shlex.split(options.run), path], capture_output=True, text=True, check=False)
        seconds += time.perf_counter() - start
        if printed(done.stdout) == outputs:
            right += 1
        else:
            print(f"{path.name}: {(done.stderr or done.stdout).strip()[-300:]}", file=sys.stderr)
        found = STEPS.search(done.stdout + done.stderr)
        steps += int(found[1].replace(",", "")) if found else 0
    average = f"{steps // instances:,}" if steps else "-"
    print(f"{name:30}{f'{right} of {instances}':>14}{average:>14}{seconds / instances:>10.2f}", flush=True)
    return right == instances


def main():
    """Read the options, run the algorithms and exit with 0 if all are right."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="algorithms [default: all thirty]")
    parser.add_argument("--run", required=True, help="command that runs a Scheme file, which comes after it")
    parser.add_argument("--n", type=int, default=16, help="size of the instances [default: 16]")
    parser.add_argument("--instances", type=int, default=5, help="instances of each algorithm [default: 5]")
    parser.add_argument("--seed", type=int, default=1, help="seed of the sampler [default: 1]")
    parser.add_argument(
        "--test", action="store_true", help="run the benchmark's test split: n = 64, 32 to 2,048 instances"
    )
    parser.add_argument(
        "--decimals", type=int, metavar="D", help="let dm-clrs truncate real numbers to D decimals, such as 6"
    )
    parser.add_argument("--programs", type=Path, metavar="DIR", help="keep the programs in this folder")
    options = parser.parse_args()
    if wrong := set(options.names) - set(NAMES):
        parser.error(f"no such algorithm: {', '.join(sorted(wrong))}; there are {', '.join(NAMES)}")
    if options.n < 4 or options.instances < 1:
        parser.error("--n is 4 or more, --instances 1 or more")
    if not shutil.which(*shlex.split(options.run)[:1] or [""]):
        parser.error(f"--run: there is no such command: {options.run}")
    print(f"{'algorithm':30}{'right':>14}{'steps':>14}{'seconds':>10}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.programs or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        right = [checked(name, options, folder) for name in options.names or NAMES]
    print(f"{sum(right)} of {len(right)} algorithms are right on all instances")
    sys.exit(sum(right) != len(right))


if __name__ == "__main__":
    main()
