"""Executors that go wrong only with full rooms, at a refill, after a fault or an interrupt, in votes, or unheard."""

from itertools import islice

from coc_core.errors import NumericFault, UsageError
from coc_core.execution import Executor, Sequential, Summary
from coc_core.models import call_each


class Rooms(Executor):
    """Sound: four runs at a time and a call for each round; when a run has ended, the next one takes its place."""

    name = "rooms"
    room = 4

    def _run(self, machines, model):
        active = []
        while True:
            fresh = list(islice(machines, self.room - len(active)))
            yield from (machine for machine in [*active, *fresh] if machine.peek() is None)
            active = [machine for machine in [*active, *fresh] if machine.peek() is not None]
            if active:
                responses = self.call(model, active)
                for machine, response in zip(active, self.handed_out(responses, active, fresh), strict=True):
                    machine.step(response) if isinstance(response, str) else machine.fail(response, machine.peek())
            elif not fresh:
                return

    def call(self, model, active):
        prompts = [machine.peek() for machine in active]
        return call_each(model, prompts, within=lambda first: active[first].attributing_errors(model))

    def handed_out(self, responses, active, fresh):
        return responses


class FullRoom(Rooms):
    """The last run of a full room gets the response of the one before it."""

    name = "full-room"

    def handed_out(self, responses, active, fresh):
        return [*responses[:-1], responses[-2]] if len(active) == self.room else responses


class Refill(Rooms):
    """A run that takes the place of another gets the response of its neighbour first."""

    name = "refill"

    def handed_out(self, responses, active, fresh):
        return [*responses[:-1], responses[0]] if 0 < len(fresh) < self.room and active[-1] in fresh else responses


class OneTooMany(Rooms):
    """Counts one more model call when a call of several prompts has failed."""

    name = "one-too-many"

    def call(self, model, active):
        try:
            return model.complete([machine.peek() for machine in active])
        except NumericFault:
            model.calls += 1
            return super().call(model, active)


class GoesOn(Rooms):
    """Goes on with a run that was asked to stop, for as long as another one goes on."""

    name = "goes-on"

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

    name = "left-over"

    def __init__(self):
        self.left = None

    def _run(self, machines, model):
        for machine in machines:
            if self.left is not None:
                machine.step(self.left)
            try:
                yield from super()._run([machine], model)
            except KeyboardInterrupt:
                self.left = "never mind"
                raise


class FourthVote(Executor):
    """Draws five responses and takes the fourth."""

    name = "fourth-vote"
    samples = True

    def _run(self, machines, model):
        for machine in machines:
            while (prompt := machine.peek()) is not None:
                machine.step(model.sample([prompt] * 5, range(5))[3])
            yield machine


class Helpful(Rooms):
    """Commits the policy's targets, and does not call the model again, when a call of several prompts has failed."""

    name = "helpful"

    def call(self, model, active):
        try:
            return model.complete([machine.peek() for machine in active])
        except NumericFault:
            return [machine.convention.target_for(machine.peek()) for machine in active]


class Picky(Executor):
    """Refuses every model."""

    name = "picky"

    def _run(self, machines, model):
        raise UsageError("no model is good enough")


class Spinning(Executor):
    """Looks at its first machine for ever."""

    name = "spinning"

    def _run(self, machines, model):
        for machine in machines:
            while machine.peek() is not None:
                pass
            yield machine


class OneMore(Summary):
    """Counts an action more where steps are skipped."""

    name = "one-more"

    def _run(self, machines, model):
        for machine in super()._run(machines, model):
            machine.actions += machine.skipped > 0
            yield machine


CROWDED = (FullRoom, Refill, OneTooMany, GoesOn, LeftOver, FourthVote, Helpful, OneMore)
