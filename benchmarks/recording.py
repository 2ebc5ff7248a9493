"""What recording costs: the time of a run that is recorded over the time of the same run that is not, and the file's size.

    python benchmarks/recording.py [--repeat 3] [--n 20 16 14]

The reference model answers, so that nothing but the machine takes time. Times are CPU seconds of the loop and, for the
recorded run, of making and closing the file; the best of several.
"""

import argparse
import tempfile
import time
from pathlib import Path

from coc_core.execution import Cached
from coc_core.plugin import Registry
from coc_core.runfile import Manifest, Replay, RunFile
from coc_core.runfile.writer import Recorder
from coc_core.setting import Setting

LOADS = {("hanoi", "pda", "symbolic"): 20, ("hanoi", "tape", "symbolic"): 16, ("hanoi", "tape", "inline"): 14}


def plain(setting: Setting, n: int) -> tuple[float, int]:
    begun = time.process_time()
    (outcome,) = Cached().run([setting.machine(setting.domain.problem(n))], setting.model("reference"))
    return time.process_time() - begun, outcome.steps


def recorded(setting: Setting, n: int, path: Path) -> float:
    problem, subject = setting.domain.problem(n), setting.model("reference")
    manifest = Manifest.of(setting, problem, subject, executor="cached", model="reference")
    begun = time.process_time()
    with Recorder.create(path, setting.domain, manifest) as recorder:
        (outcome,) = Cached().run([setting.machine(problem, [recorder.listen])], subject)
        recorder.finish(outcome)
    return time.process_time() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--n", type=int, nargs=len(LOADS), default=list(LOADS.values()), help="disks of each run")
    options = parser.parse_args()
    registry = Registry.installed()
    print(
        f"{'run':<28} {'steps':>10} {'plain':>8} {'recorded':>9} {'ratio':>6} {'µs/step':>8} {'bytes':>11} {'replay':>8}"
    )
    for (domain, memory, arith), n in zip(LOADS, options.n, strict=True):
        without, with_, steps = [], [], 0
        with tempfile.TemporaryDirectory() as folder:
            for number in range(options.repeat):
                # A new setting each time, so that nothing is remembered.
                seconds, steps = plain(Setting.of(registry, domain, memory, arith), n)
                without.append(seconds)
                path = Path(folder) / f"run{number}"
                with_.append(recorded(Setting.of(registry, domain, memory, arith), n, path))
            begun = time.process_time()
            with RunFile.open(path) as runfile:
                Replay(registry, runfile).verify()
            replayed = time.process_time() - begun
            size = path.stat().st_size
        best, cost = min(without), min(with_)
        print(
            f"{domain + ' ' + memory + ' ' + arith + ' ' + str(n):<28} {steps:>10,} {best:>6.2f} s {cost:>7.2f} s"
            f" {cost / best:>6.2f} {(cost - best) / steps * 1e6:>8.2f} {size:>11,} {replayed:>6.2f} s"
        )


if __name__ == "__main__":
    main()
