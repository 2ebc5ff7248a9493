"""How fast the machine runs, beside solvers written by hand that emit the same actions and check nothing.

    python benchmarks/throughput.py [--repeat 5] [--n N]

For each domain: steps a second of the reference model in the machine (every action parsed, validated and applied), the
seconds of the hand-written solver for the same actions, and the ratio of the two times. Then the cost of a step at the
end of a long run over that at its beginning, and the time of 50 problems one after the other over that of all of them
in lockstep: with the reference, and with a small transformer that has learned nothing, so that each run ends at its
first step with a long and senseless answer. Times are the best of several, ratios are what to quote.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

import torch

from coc_core.execution import Cached, Executor, Lockstep, Sequential
from coc_core.memories import Reference
from coc_core.models import Model, Pair
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_transformer.decoding.backend import Transformer
from coc_transformer.files import ModelConfig
from coc_transformer.model import Decoder
from coc_transformer.tokenizer import TextTokenizer

TOGETHER = 50  # problems
LOADS = (("hanoi", 16), ("blocksworld", 40), ("blocksworld-extended", 40), ("pancake", 40))
LONG = 20  # disks


def hanoi(problem: Any) -> list[str]:
    moves: list[str] = []

    def solve(n: int, src: int, dst: int, aux: int) -> None:
        if n > 1:
            solve(n - 1, src, aux, dst)
        moves.append(f"Move disk {n} from {src} to {dst}")
        if n > 1:
            solve(n - 1, aux, dst, src)

    solve(problem.n, problem.src, problem.dst, 6 - problem.src - problem.dst)
    return moves


def blocks(problem: Any) -> list[str]:
    unstacked = [block for tower in reversed(problem.start) for block in reversed(tower)]
    return [f"Move block B{block}" for block in chain(unstacked, problem.goal)]


def pancake(problem: Any) -> list[str]:
    stack, flips = list(problem.start), list[str]()
    for place, wanted in enumerate(problem.goal):
        if stack == list(problem.goal):
            break
        if stack[place] != wanted:
            found = stack.index(wanted)
            stack[found:] = stack[found:][::-1]
            stack[place:] = stack[place:][::-1]
            flips += (f"Flip from where P{wanted} is located.", f"Flip from where P{wanted} must be located.")
    return flips


BY_HAND: dict[str, Callable[[Any], list[str]]] = {
    "hanoi": hanoi,
    "blocksworld": blocks,
    "blocksworld-extended": blocks,
    "pancake": pancake,
}


def best(times: Iterator[float], repeat: int) -> float:
    return min(next(times) for _ in range(repeat))


def machine_times(setting: Setting, problem: Any, expected: list[str]) -> Iterator[float]:
    while True:
        actions: list[Any] = []
        machine = setting.machine(problem, [lambda record, actions=actions: actions.extend(record.actions)])
        assert Cached().run([machine], Reference(setting.convention))[0].status == "solved"
        assert [setting.domain.actions.format(action) for action in actions] == expected, "the two plans differ"
        machine = setting.machine(problem)
        begun = time.perf_counter()
        Cached().run([machine], Reference(setting.convention))
        yield time.perf_counter() - begun


def hand_times(solve: Callable[[Any], list[str]], problem: Any) -> Iterator[float]:
    while True:
        begun = time.perf_counter()
        solve(problem)
        yield time.perf_counter() - begun


def growth(setting: Setting, n: int) -> float:
    """The time of the last tenth of a run over that of its first tenth, answers known beforehand."""
    problem = setting.domain.problem(n)
    steps = setting.domain.expect(problem).steps
    marks = {steps * tenth // 10: 0.0 for tenth in (0, 1, 9, 10)}
    model = Reference(setting.convention)
    answers: dict[str, str] = {}
    machine = setting.machine(problem)
    step = 0
    while (prompt := machine.peek()) is not None:
        if step in marks:
            marks[step] = time.perf_counter()
        if prompt not in answers:
            answers[prompt] = model.complete([prompt])[0]
        machine.step(answers[prompt])
        step += 1
    marks[steps] = time.perf_counter()
    first, second, third, last = (marks[key] for key in sorted(marks))
    return (last - third) / (second - first)


def untrained(pairs: list[Pair]) -> Transformer:
    """A transformer with random weights that can read and write the texts of these pairs."""
    tokenizer = TextTokenizer.train(pairs, vocab=128, min_frequency=2, tokens="digits")
    longest = max(len(tokenizer.context(prompt)) for prompt, _ in pairs)
    sizes = {"d_model": 32, "layers": 1, "heads": 2, "d_ff": 64, "max_len": longest + 100, "dropout": 0.0}
    decoder = Decoder(
        ModelConfig(vocab=tokenizer.size, positions="absolute", token_shift=0, **sizes),  # type: ignore[arg-type]
        tokenizer.kinds(),
    )
    torch.manual_seed(0)
    decoder.initialise()
    return Transformer(decoder.requires_grad_(False), tokenizer, "untrained")


def speedup(setting: Setting, problems: list[Any], model: Model, repeat: int) -> float:
    """The time of the problems one after the other over their time in lockstep."""

    def times(executor: Executor) -> Iterator[float]:
        while True:
            yield executor.run([setting.machine(problem) for problem in problems], model)[0].seconds

    return best(times(Sequential()), repeat) / best(times(Lockstep()), repeat)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--n", type=int, help="a size for all, from 4 on, instead of their own")
    options = parser.parse_args()
    repeat = options.repeat
    registry = Registry.installed()
    print(f"{'domain':<21} {'memory':<6} {'arith':<9} {'n':>3} {'steps/s':>10} {'by hand':>10} {'ratio':>7}")
    for name, n in LOADS:
        for memory, arith in (("pda", "symbolic"), ("tape", "symbolic"), ("tape", "inline")):
            setting = Setting.of(registry, name, memory, arith)
            size = options.n or (min(n, 12) if arith == "inline" else n)
            problem = setting.domain.problem(size)
            expected = BY_HAND[name](problem)
            machine = setting.machine(problem)
            steps = Cached().run([machine], Reference(setting.convention))[0].steps
            ours = best(machine_times(setting, problem, expected), repeat)
            hand = best(hand_times(BY_HAND[name], problem), repeat)
            print(
                f"{name:<21} {memory:<6} {arith:<9} {size:>3} {steps / ours:>10,.0f} {hand * 1e3:>7.2f} ms"
                f" {ours / hand:>6.1f}x"
            )
    setting = Setting.of(registry, "hanoi", "pda", "symbolic")
    long, many = options.n or LONG, options.n or 40
    ratio = growth(setting, long)
    print(f"\nhanoi, n={long} on a stack: the last tenth of the steps takes {ratio:.2f}x the time of the first")
    setting = Setting.of(registry, "blocksworld", "tape", "inline")
    problems = [setting.domain.problem(many, seed) for seed in range(TOGETHER)]
    prompts = [setting.machine(problem).peek() or "" for problem in problems]
    model = untrained([Pair(prompt, setting.convention.target_for(prompt)) for prompt in prompts])
    print(f"blocksworld, n={many} on a tape, {TOGETHER} problems in lockstep:", end=" ")
    print(f"{speedup(setting, problems, Reference(setting.convention), repeat):.2f}x with the reference,", end=" ")
    print(f"{speedup(setting, problems, model, repeat):.2f}x with a transformer, faster than one by one")


if __name__ == "__main__":
    main()
