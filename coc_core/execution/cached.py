"""The executor that calls the model once for each distinct prompt."""

from collections.abc import Iterable, Iterator

from coc_core.execution.executor import Executor, ask
from coc_core.execution.machine import Machine
from coc_core.models import Model


class Cached(Executor):
    """Asks once for each distinct prompt and remembers the answer.

    On a stack, or with symbolic arithmetic, the distinct prompts of a million steps are a few hundred. There a window
    that was written says already what will be asked about it, so these questions go to the model together.
    """

    name = "cached"
    needs_determinism = True
    remembered = 1 << 16

    def _run(self, machines: Iterable[Machine], model: Model) -> Iterator[Machine]:
        answers: dict[str, str] = {}
        for machine in machines:
            coming: list[str] = []
            while (prompt := machine.follow(answers)) is not None:
                ahead = [other for other in coming if other != prompt]
                found = ask(model, machine, prompt, ahead)
                if len(answers) >= self.remembered:
                    answers.clear()
                answers.update(zip((prompt, *ahead), found, strict=False))
                sure = dict.fromkeys(text for target in found for text in machine.convention.coming(target))
                coming = [text for text in sure if text not in answers]
            yield machine
