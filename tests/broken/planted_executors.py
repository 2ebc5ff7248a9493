"""Executors with one fault each, which `coc fuzz` has to find. Also a plugin that offers them."""

import re
from contextlib import suppress

from coc_core.errors import StepFault
from coc_core.execution import Executor
from coc_core.plugin import ExecutorSpec, hookimpl
from tests.support.model_calls import ask


class Hasty(Executor):
    """Commits a step to the memory before its actions are validated, and takes that back only where they are legal."""

    name = "hasty"

    def _run(self, machines, model):
        for machine in machines:
            while (prompt := machine.peek()) is not None:
                for answer in ask(model, machine, prompt):
                    self.step(machine, answer)
            yield machine

    def step(self, machine, answer):
        before = machine.contents
        with suppress(StepFault):
            reply = machine.convention.parse(answer)
            write = machine.convention.resolve(reply, machine.window, machine.arithmetic)
            machine.contents = machine.memory.write(before, write)
            state = machine.state
            for action in reply.actions:
                state = machine.domain.apply(state, action)
            machine.contents = before  # so that the machine can do it again, and tell its listeners
        machine.step(answer)


class Coarse(Executor):
    """Remembers answers by their prompts without the numbers."""

    name = "coarse"
    needs_determinism = True

    def _run(self, machines, model):
        known = {}
        for machine in machines:
            while (prompt := machine.peek()) is not None:
                key = re.sub("[0-9]+", "#", prompt)
                if not known.get(key):
                    known[key] = ask(model, machine, prompt)
                for answer in known[key]:
                    machine.step(answer)
            yield machine


class Overshooting(Executor):
    """Looks ahead on the machine itself; where there was less to see than it looked for, it goes back one step too few."""

    name = "overshooting"
    needs_determinism = True

    def _run(self, machines, model):
        for machine in machines:
            while (prompt := machine.peek()) is not None:
                certain_prompts = [other for other in self.look(machine, 3) if other != prompt]
                for answer in ask(model, machine, prompt, certain_prompts)[:1]:
                    machine.step(answer)
            yield machine

    def look(self, machine, farthest):
        convention, prompts, earlier = machine.convention, [], []
        with suppress(Exception):
            while len(prompts) < farthest:
                earlier.append(machine.contents)
                prompts.append(convention.prompt(machine.window))
                reply = convention.parse(convention.target_for(prompts[-1]))
                write = convention.resolve(reply, machine.window, machine.arithmetic)
                machine.contents = machine.memory.write(machine.contents, write)
        machine.contents = earlier[-len(prompts)]
        return prompts


class Mixing(Executor):
    """Asks for a batch in one order, and hands out the answers in another."""

    name = "mixing"

    def _run(self, machines, model):
        going = list(machines)
        while going:
            ended = [machine for machine in going if machine.peek() is None]
            yield from ended
            going = [machine for machine in going if machine not in ended]
            prompts = [machine.peek() for machine in going]
            answers = [self.answer(model, going, prompt) for prompt in sorted(prompts)]
            for machine, answer in zip(going, answers, strict=True):
                for text in answer:
                    machine.step(text)

    def answer(self, model, going, prompt):
        asking = next(machine for machine in going if machine.peek() == prompt)
        return ask(model, asking, prompt)


class Repeating(Executor):
    """Takes the first step of a run that goes on for one whose actions were done already, and does them, too."""

    name = "repeating"

    def _run(self, machines, model):
        for machine in machines:
            goes_on = machine.steps > 0
            while (prompt := machine.peek()) is not None:
                for answer in ask(model, machine, prompt):
                    if goes_on:
                        self.do(machine, answer)
                    goes_on = False
                    machine.step(answer)
            yield machine

    def do(self, machine, answer):
        with suppress(StepFault):
            for action in machine.convention.parse(answer).actions:
                machine.state = machine.domain.apply(machine.state, action)


PLANTED = (Hasty, Coarse, Overshooting, Mixing, Repeating)


@hookimpl
def coc_executors():
    return [
        ExecutorSpec(
            executor.name, factory=f"tests.broken.planted_executors:{executor.__name__}", summary="has a fault"
        )
        for executor in PLANTED
    ]
