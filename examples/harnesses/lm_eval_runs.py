"""Whole runs through coc's loop with a model of lm-evaluation-harness, whose own tasks have one request a sample.

    python lm_eval_runs.py --n 3 10 --model local-completions --model_args model=...,base_url=...

The other options choose the setting and the sizes of the problems; all problems are solved at the same time.
"""

import argparse
from collections.abc import Sequence

from lm_eval.api.instance import Instance
from lm_eval.api.model import LM
from lm_eval.api.registry import get_model

from coc_core.execution import Lockstep
from coc_core.models import Model
from coc_core.plugin import Registry
from coc_core.setting import Setting

_GENERATION = {"do_sample": False, "max_gen_toks": 200, "until": ["\n\n"]}


class HarnessModel(Model):
    """A model of the harness as one of coc's. It must give equal responses to equal prompts."""

    name = "lm-eval"

    def __init__(self, lm: LM) -> None:
        super().__init__()
        self._lm = lm

    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]:
        requests = [
            Instance("generate_until", {}, (prompt, dict(_GENERATION)), number) for number, prompt in enumerate(prompts)
        ]
        return list(self._lm.generate_until(requests))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="local-completions", help="the name of a kind of model of the harness")
    parser.add_argument("--model_args", default="", help="its arguments, as lm_eval takes them")
    parser.add_argument("--domain", default="hanoi")
    parser.add_argument("--memory", default="pda")
    parser.add_argument("--arith", default="symbolic")
    parser.add_argument("--n", type=int, nargs="+", default=[3], help="the sizes of the problems")
    options = parser.parse_args()
    setting = Setting.of(Registry.installed(), options.domain, options.memory, options.arith)
    model = HarnessModel(get_model(options.model).create_from_arg_string(options.model_args))
    machines = [setting.machine(setting.domain.problem(n)) for n in options.n]
    outcomes = list(Lockstep().run(machines, model))
    for n, outcome in zip(options.n, outcomes, strict=True):
        found = outcome.fault.message if outcome.fault else f"{outcome.steps:,} steps"
        print(f"n={n}: {outcome.status}, {found}, {outcome.model_calls:,} model calls")
    print(f"{sum(outcome.status == 'solved' for outcome in outcomes)} of {len(outcomes)} solved")


if __name__ == "__main__":
    main()
