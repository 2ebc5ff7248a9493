"""Every executor on one run of each setting, at the largest size that its model was trained for, as ratios.

    python benchmarks/executors.py [--rounds 3] [--n N] [--domain NAME ...] [--memory NAME ...] [--arith NAME ...]

Each row is a setting, each figure the wall time of an executor divided by that of the fastest. The executors take
turns, each with arithmetic that remembers nothing of the runs before, and the best of the rounds counts. A run that
takes more than twice as long as the fastest is cut off.
"""

import argparse
from threading import Timer
from time import perf_counter

from coc_core.execution import Auto, Cached, Lockstep, Speculative
from coc_core.plugin import ArithmeticSpec, DomainSpec, MemorySpec, Registry
from coc_core.setting import Setting

LARGEST = {("hanoi", "inline"): 15, ("hanoi", "symbolic"): 20, ("hanoi", "learned"): 20}
"""The sizes of the domains without lists; the others have 40."""

PATIENCE = 2


def seconds(setting, problem, model, executor, limit):
    """The wall time of a run, infinite if it takes longer than the limit; and what `auto` took."""
    machine = setting.machine(problem)
    timer = Timer(limit, machine.interrupt)
    timer.start()
    started = perf_counter()
    (outcome,) = executor.run([machine], model)
    took = perf_counter() - started
    timer.cancel()
    assert outcome.status in ("solved", "interrupted"), outcome
    return took if outcome.status == "solved" else float("inf")


def main():
    options = argparse.ArgumentParser()
    registry = Registry.installed()
    for name, spec in (("domain", DomainSpec), ("memory", MemorySpec), ("arith", ArithmeticSpec)):
        options.add_argument(f"--{name}", nargs="+", default=[each.name for each in registry.specs(spec)])
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--n", type=int, help="instead of the largest size")
    chosen = options.parse_args()
    print(
        f"{'setting':44}{'n':>4}"
        + "".join(f"{name:>14}" for name in ("auto", "cached", "lockstep", "speculative"))
        + "  auto used"
    )
    for domain in chosen.domain:
        for memory in chosen.memory:
            for arith in chosen.arith:
                setting = Setting.of(registry, domain, memory, arith)
                n = chosen.n or LARGEST.get((domain, arith if memory == "tape" else "symbolic"), 40)
                problem, model = setting.domain.problem(n), setting.model()
                best = dict.fromkeys(("speculative", "cached", "lockstep", "auto"), float("inf"))
                for _ in range(chosen.rounds):
                    for kind in (Speculative, Cached, Lockstep, Auto):
                        fresh, executor = Setting.of(registry, domain, memory, arith), kind()
                        took = seconds(fresh, problem, model, executor, PATIENCE * min(min(best.values()), 1e4) + 2)
                        best[kind.name] = min(best[kind.name], took)
                        used = executor.used
                fastest = min(best.values())
                cells = "".join(
                    f"{best[name] / fastest:>13.2f}x" if best[name] < float("inf") else f"{f'> {PATIENCE}x':>14}"
                    for name in ("auto", "cached", "lockstep", "speculative")
                )
                print(f"{f'{domain}, {memory}, {arith}':44}{n:>4}{cells}  {used}  ({fastest:.2f} s)", flush=True)


if __name__ == "__main__":
    main()
