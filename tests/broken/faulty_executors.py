"""Executors that are sound, and executors with one fault each, which the fuzzer has to find. Also a plugin of them."""

import re
from contextlib import suppress
from itertools import islice, pairwise

from coc_core.errors import CocError, NumericFault, StepFault, UsageError
from coc_core.execution import Executor, Lockstep, Sequential, Summary
from coc_core.models import call_each
from coc_core.plugin import ExecutorSpec, hookimpl
from coc_core.types import Limits


class Sound(Executor):
    """One machine after the other, one call at a time."""

    def _run(self, machines, model):
        for machine in machines:
            while (prompt := machine.peek()) is not None:
                self.step(machine, model, prompt)
            yield machine

    def step(self, machine, model, prompt):
        try:
            response = self.ask(machine, model, prompt)
        except StepFault as fault:
            machine.fail(fault, prompt)
        else:
            self.take(machine, response)

    def ask(self, machine, model, prompt):
        with machine.attributing_errors(model):
            return model.complete([prompt])[0]

    def take(self, machine, response):
        machine.step(response)


class Rooms(Executor):
    """Four runs at a time and a call for each round; when a run has ended, the next one takes its place."""

    room = 4

    def _run(self, machines, model):
        active = []
        while True:
            fresh = list(islice(machines, self.room - len(active)))
            if not active and not fresh:
                return
            ended = [machine for machine in [*active, *fresh] if machine.peek() is None]
            yield from ended
            active = [machine for machine in [*active, *fresh] if machine not in ended]
            responses = self.handed_out(self.call(model, active), active, fresh) if active else []
            for machine, response in zip(active, responses, strict=True):
                machine.step(response) if isinstance(response, str) else machine.fail(response, machine.peek())

    def call(self, model, active):
        prompts = [machine.peek() for machine in active]
        return call_each(model, prompts, within=lambda first: active[first].attributing_errors(model))

    def handed_out(self, responses, active, fresh):
        return responses


# ── steps ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


class Hasty(Sound):
    """Commits a step to the memory before its actions are validated, and takes that back only where they are legal."""

    def take(self, machine, response):
        before = machine.contents
        with suppress(StepFault):
            reply = machine.convention.parse(response)
            write = machine.convention.resolve(reply, machine.window, machine.arithmetic)
            machine.contents = machine.memory.write(before, write)
            state = machine.state
            for action in reply.actions:
                state = machine.domain.apply(state, action)
            machine.contents = before  # so that the machine can do it again, and tell its listeners
        machine.step(response)


class ActsFirst(Sound):
    """Carries out the actions of a step before its write is found to be in order."""

    def take(self, machine, response):
        machine.step(response)
        if machine.fault is not None and machine.fault.kind == "action":
            machine.actions += 1


class Overshooting(Sound):
    """Looks ahead on the machine itself; where there was less to see than it looked for, it goes back one step too few."""

    needs_determinism = True

    def ask(self, machine, model, prompt):
        ahead = [other for other in self.look(machine, 3) if other != prompt]
        return call_each(model, [prompt, *ahead], within=lambda _: machine.attributing_errors(model))[0]

    def take(self, machine, response):
        machine.step(response) if isinstance(response, str) else machine.fail(response, machine.peek())

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


class Silent(Sound):
    """Tells no listener of the second step and those behind it."""

    def take(self, machine, response):
        machine.step(response)
        machine._notify = None


class Unlimited(Sequential):
    """Has limits of its own."""

    def _run(self, machines, model):
        for machine in machines:
            machine.limits = Limits()
            yield from super()._run([machine], model)


class Spinning(Executor):
    """Looks at its first machine for ever."""

    def _run(self, machines, model):
        for machine in machines:
            while machine.peek() is not None:
                pass
            yield machine


# ── responses ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class Coarse(Sound):
    """Remembers responses by their prompts without the numbers."""

    needs_determinism = True

    def _run(self, machines, model):
        self.known = {}
        yield from super()._run(machines, model)

    def ask(self, machine, model, prompt):
        key = re.sub("[0-9]+", "#", prompt)
        if key not in self.known:
            self.known[key] = super().ask(machine, model, prompt)
        return self.known[key]


class Remembering(Coarse):
    """Remembers responses for ever, and of any model."""

    needs_determinism = False

    def __init__(self):
        self.known = {}

    def _run(self, machines, model):
        yield from Sound._run(self, machines, model)

    def ask(self, machine, model, prompt):
        if prompt not in self.known:
            self.known[prompt] = Sound.ask(self, machine, model, prompt)
        return self.known[prompt]


class IgnoresNondeterminism(Sound):
    """Calls once for each prompt, whatever model it is."""

    def _run(self, machines, model):
        known = {}
        for machine in machines:
            while (prompt := machine.run(known.get)) is not None:
                try:
                    known[prompt] = self.ask(machine, model, prompt)
                except StepFault as fault:
                    machine.fail(fault, prompt)
            yield machine


class BelievesDrafts(Sound):
    """Confirms a response by how it begins."""

    def ask(self, machine, model, prompt):
        found = super().ask(machine, model, prompt)
        draft = machine.convention.target_for(prompt)
        return draft if draft.startswith(found) else found


class Wasteful(Sound):
    """Calls a thousand times for each prompt."""

    def ask(self, machine, model, prompt):
        return [super(Wasteful, self).ask(machine, model, prompt) for _ in range(100_000)][-1]


class OneTooMany(Rooms):
    """Counts one more model call when a call of several prompts has failed."""

    def call(self, model, active):
        try:
            return model.complete([machine.peek() for machine in active])
        except NumericFault:
            model.calls += 1
            return super().call(model, active)


class Helpful(Rooms):
    """Commits the policy's targets, and does not call the model again, when a call of several prompts has failed."""

    def call(self, model, active):
        try:
            return model.complete([machine.peek() for machine in active])
        except NumericFault:
            return [machine.convention.target_for(machine.peek()) for machine in active]


class FourthVote(Executor):
    """Draws five responses and takes the fourth."""

    samples = True

    def _run(self, machines, model):
        for machine in machines:
            while (prompt := machine.peek()) is not None:
                machine.step(model.sample([prompt] * 5, range(5))[3])
            yield machine


# ── machines ──────────────────────────────────────────────────────────────────────────────────────────────────────────


class NeedsOne(Sound):
    """Can't do without a machine."""

    def _run(self, machines, model):
        first = next(iter(machines))
        yield from super()._run([first, *machines], model)


class DropsFailures(Lockstep):
    """Loses runs that fail when there are more than it has room for."""

    def _run(self, machines, model):
        for number, machine in enumerate(super()._run(machines, model)):
            if machine.status == "solved" or number < 50:
                yield machine


class SwapsOutcomes(Sound):
    """Two runs of different length end as each other."""

    def _run(self, machines, model):
        ended = list(super()._run(machines, model))
        for one, other in pairwise(ended):
            if one.steps > 1 + other.steps:
                one.__dict__, other.__dict__ = other.__dict__, one.__dict__
        yield from ended


class Repeating(Sound):
    """Takes the first step of a run that goes on for one whose actions were done already, and does them, too."""

    def _run(self, machines, model):
        for machine in machines:
            self.goes_on = machine.steps > 0
            yield from super()._run([machine], model)

    def take(self, machine, response):
        with suppress(StepFault):
            for action in machine.convention.parse(response).actions if self.goes_on else ():
                machine.state = machine.domain.apply(machine.state, action)
        self.goes_on = False
        machine.step(response)


class BeginsAgain(Sound):
    """Counts from one when it goes on with a run."""

    def _run(self, machines, model):
        for machine in machines:
            machine.steps = 0
            yield from super()._run([machine], model)


# ── faults, errors and interruptions ──────────────────────────────────────────────────────────────────────────────────


class GivesUpTogether(Lockstep):
    """A fault of one prompt ends all runs under way."""

    def _run(self, machines, model):
        machines = list(machines)
        try:
            for machine in machines:
                while (prompt := machine.peek()) is not None:
                    machine.step(model.complete([prompt])[0])
        except NumericFault as fault:
            for machine in machines:
                machine.fail(fault)
        yield from machines


class SwallowsErrors(Sound):
    """Takes a model that fails for one that knows no target."""

    def ask(self, machine, model, prompt):
        try:
            return super().ask(machine, model, prompt)
        except CocError:
            return "no answer"


class Swallowing(Sound):
    """Goes on, whatever is raised."""

    def step(self, machine, model, prompt):
        with suppress(Exception, KeyboardInterrupt):
            super().step(machine, model, prompt)


class HalfAStep(Sound):
    """An interruption finds it with a response that is written and not yet counted."""

    def ask(self, machine, model, prompt):
        try:
            return super().ask(machine, model, prompt)
        except KeyboardInterrupt:
            machine.steps += 1
            raise


class CannotGoOn(Sound):
    """Marks a machine as ended when it is interrupted."""

    def step(self, machine, model, prompt):
        try:
            super().step(machine, model, prompt)
        except KeyboardInterrupt:
            machine.interrupt()
            raise


class GoesOn(Rooms):
    """Goes on with a run that was asked to stop, for as long as another one goes on."""

    def handed_out(self, responses, active, fresh):
        for machine in active:
            machine._notify = self.deaf(machine, machine._notify) if len(active) > 1 else machine._notify
        return responses

    def deaf(self, machine, notify):
        def notified(record):
            notify(record)
            machine._ended = machine.fault is not None

        return notified


class LeftOver(Sequential):
    """Begins with the response that was not used when an earlier run was interrupted."""

    left = None

    def _run(self, machines, model):
        for machine in machines:
            if self.left is not None:
                machine.step(self.left)
            try:
                yield from super()._run([machine], model)
            except KeyboardInterrupt:
                self.left = "never mind"
                raise


# ── sound ones, but for one method ────────────────────────────────────────────────────────────────────────────────────


def raising(error):
    def run(self, machines, model):
        raise error

    return run


def _losing(self, machines, model):
    yield from [machine for machine in Sound._run(self, machines, model) if machine is None]


def _one_more(self, machines, model):
    for machine in Summary._run(self, machines, model):
        machine.actions += machine.skipped > 0
        yield machine


def _in_one_order(self, model, active):
    return Rooms.call(self, model, sorted(active, key=lambda machine: machine.peek()))


def _of_the_first(self, responses, active, fresh):
    return [*responses[:-1], responses[0]] if 0 < len(fresh) < self.room and active[-1] in fresh else responses


def _of_the_one_before(self, responses, active, fresh):
    return [*responses[:-1], responses[-2]] if len(active) == self.room else responses


def _without_loops(self, machines, model):
    for machine in machines:
        machine.assume(deterministic=False)
        yield from Sound._run(self, [machine], model)


VARIANTS = {
    "Stubborn": (Executor, {"_run": raising(ValueError("no\nthanks"))}),  # before anything has happened
    "Picky": (Executor, {"_run": raising(UsageError("no model is good enough"))}),
    "BlamesNobody": (Sound, {"ask": lambda self, machine, model, prompt: model.complete([prompt])[0]}),
    "LooksForNoLoops": (Sound, {"_run": _without_loops}),  # a limit ends them
    "Losing": (Sound, {"_run": _losing}),  # does not give its machines back
    "TakesNoMore": (Sound, {"_run": lambda self, machines, model: Sound._run(self, islice(machines, 60), model)}),
    "OneMore": (Summary, {"_run": _one_more}),  # an action, where steps are skipped
    "Mixing": (Rooms, {"room": 1_000, "call": _in_one_order}),  # and hands out the responses in another
    "FullRoom": (Rooms, {"handed_out": _of_the_one_before}),  # to the last run of a full room
    "Refill": (Rooms, {"handed_out": _of_the_first}),  # to a run that takes the place of another
}
globals().update(
    {name: type(name, (base,), {**changes, "__module__": __name__}) for name, (base, changes) in VARIANTS.items()}
)

OURS = (Sequential, Lockstep, Summary, Executor)
SOUND = {"Sound", "Rooms", "Picky"}
EVERY = tuple(kind for kind in vars().values() if isinstance(kind, type) and issubclass(kind, Executor))
EVERY = tuple(kind for kind in EVERY if kind not in OURS)
for _kind in EVERY:
    _kind.name = re.sub("(?<!^)([A-Z])", r"-\1", _kind.__name__).lower()
FAULTY = tuple(kind for kind in EVERY if kind.__name__ not in SOUND)


@hookimpl
def coc_executors():
    return [ExecutorSpec(kind.name, f"{__name__}:{kind.__name__}", "for a test") for kind in EVERY]
