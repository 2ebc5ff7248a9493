"""How long does a model that errs with probability p stay right? Faults are data, so this is a few lines."""

import random
from collections import Counter
from collections.abc import Sequence

from coc_core.execution import Sequential
from coc_core.memories import Convention, Reference
from coc_core.models import Model
from coc_core.plugin import Registry
from coc_core.setting import Setting


class Sloppy(Model):
    """The reference model, but now and then it drops a character of its answer."""

    name = "sloppy"
    deterministic = False

    def __init__(self, convention: Convention, p: float, seed: int) -> None:
        super().__init__()
        self._right = Reference(convention)
        self._p, self._rng = p, random.Random(seed)

    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]:
        return [self._spoil(text) for text in self._right.complete(prompts)]

    def _spoil(self, text: str) -> str:
        if self._rng.random() >= self._p:
            return text
        place = self._rng.randrange(len(text))
        return text[:place] + text[place + 1 :]


def main(p: float = 0.002, runs: int = 50) -> None:
    setting = Setting.of(Registry.installed(), domain="hanoi", memory="tape", arith="inline")
    endings: Counter[str] = Counter()
    for seed in range(runs):
        machine = setting.machine(setting.domain.problem(n=8))
        (outcome,) = Sequential().run([machine], Sloppy(setting.convention, p, seed))
        endings[outcome.fault.kind if outcome.fault else outcome.status] += 1
    steps = setting.domain.expect(setting.domain.problem(n=8)).steps
    print(f"{runs} runs of {steps} steps, each step wrong with probability {p}")
    print(f"expected to survive: {(1 - p) ** steps:.0%}; survived: {endings['solved'] / runs:.0%}")
    for ending, count in endings.most_common():
        print(f"  {ending:<12} {count}")


if __name__ == "__main__":
    main()
