"""An executor that keeps every promise, and executors that break one each: the check that finds it, and what it says."""

from itertools import islice, pairwise

from attrs import evolve

from coc_core.errors import CocError, NumericFault, StepFault
from coc_core.execution import Executor, Lockstep


class Sound(Executor):
    """One machine after the other, one question at a time."""

    name = "faulty"

    def _run(self, machines, model):
        for machine in machines:
            while (prompt := machine.peek()) is not None:
                self.step(machine, model, prompt)
            yield machine

    def step(self, machine, model, prompt):
        try:
            machine.step(self.ask(machine, model, prompt))
        except StepFault as fault:
            machine.fail(fault, prompt)

    def ask(self, machine, model, prompt):
        with machine.attributing_errors(model):
            return model.complete([prompt])[0]


class NeedsOne(Sound):
    """Can't do without a machine."""

    def _run(self, machines, model):
        first = next(iter(machines))
        yield from super()._run([first, *machines], model)


class Helps(Sound):
    """Commits what the policy says, and not what the model says."""

    def step(self, machine, model, prompt):
        self.ask(machine, model, prompt)
        machine.step(machine.convention.target_for(prompt))


class BelievesDrafts(Sound):
    """Confirms an answer by how it begins."""

    def ask(self, machine, model, prompt):
        found = super().ask(machine, model, prompt)
        draft = machine.convention.target_for(prompt)
        return draft if draft.startswith(found) else found


class MixesTwo(Sound):
    """Asks about two machines at once, and gives each the answer of the other where both are texts of one length."""

    def _run(self, machines, model):
        going, ended = list(machines), []
        while going:
            asked = [(machine, machine.peek()) for machine in going]
            ended += [machine for machine, prompt in asked if prompt is None]
            asked = [pair for pair in asked if pair[1] is not None]
            for (machine, prompt), (_, other) in zip(asked, asked[1:] + asked[:1], strict=True):
                near = len(prompt) == len(other) and machine.steps
                self.step(machine, model, other if near else prompt)
            going = [machine for machine, _ in asked]
        yield from ended


class KeyedTooCoarsely(Sound):
    """Remembers an answer by how long the prompt is and how it begins."""

    def _run(self, machines, model):
        self.known = {}
        yield from super()._run(machines, model)

    def ask(self, machine, model, prompt):
        key = prompt[: len(prompt) // 2]
        if key not in self.known:
            self.known[key] = super().ask(machine, model, prompt)
        return self.known[key]


class SkipsNotes(Sound):
    """Takes a step only where the model says something that the policy would not."""

    def ask(self, machine, model, prompt):
        return super().ask(machine, model, prompt).rstrip("1")


class SwapsOutcomes(Sound):
    """Two runs of different length end as each other."""

    def _run(self, machines, model):
        ended = list(super()._run(machines, model))
        for one, other in pairwise(ended):
            if one.steps > 1 + other.steps:
                one.__dict__, other.__dict__ = other.__dict__, one.__dict__
        yield from ended


class DropsTheLast(Sound):
    def _run(self, machines, model):
        *most, _ = super()._run(machines, model)
        yield from most


class DropsFailures(Lockstep):
    """Loses runs that fail when there are more than it has room for."""

    name = "faulty"

    def _run(self, machines, model):
        for number, machine in enumerate(super()._run(machines, model)):
            if machine.status == "solved" or number < 50:
                yield machine


class RepeatsOne(Sound):
    def _run(self, machines, model):
        for machine in super()._run(machines, model):
            yield machine
            if machine.fault is not None:
                yield machine


class Invents(Sound):
    def _run(self, machines, model):
        yield from super()._run(machines, model)
        yield "a run that was solved"


class TakesNoMore(Sound):
    """Has room for sixty machines, and never takes another."""

    def _run(self, machines, model):
        yield from super()._run(islice(machines, 60), model)


class WantsAList(Sound):
    def _run(self, machines, model):
        return super()._run([machines[place] for place in range(len(machines))], model)


class TooEarly(Sound):
    """Gives a machine before its last step."""

    def _run(self, machines, model):
        for machine in machines:
            yield machine
            yield from super()._run([machine], model)


class TriesAloud(Sound):
    """Tries each first step on the machine, goes back, and takes it again."""

    def _run(self, machines, model):
        for machine in machines:
            contents, state = machine.contents, machine.state
            prompt = machine.peek()
            if prompt is not None and machine.steps == 0:
                self.step(machine, model, prompt)
                if machine.fault is None:
                    machine.contents = contents
                    machine.state, machine.steps, machine.actions = state, 0, 0
            yield from super()._run([machine], model)


class Remembers(Sound):
    """Answers of one model, given to the next."""

    def __init__(self):
        self.known = {}

    def ask(self, machine, model, prompt):
        if prompt not in self.known:
            self.known[prompt] = super().ask(machine, model, prompt)
        return self.known[prompt]


class CountsFaults(Sound):
    """Counts a model call for a text that is refused."""

    def step(self, machine, model, prompt):
        super().step(machine, model, prompt)
        model.calls += machine.fault is not None


class IgnoresNondeterminism(Sound):
    """Asks once for each prompt, whatever model it is."""

    def _run(self, machines, model):
        known = {}
        for machine in machines:
            while (prompt := machine.run(known.get)) is not None:
                try:
                    known[prompt] = self.ask(machine, model, prompt)
                except StepFault as fault:
                    machine.fail(fault, prompt)
            yield machine


class CommitsFirst(Sound):
    """Writes to the memory before the actions are known to be legal."""

    def step(self, machine, model, prompt):
        text = self.ask(machine, model, prompt)
        before, window = machine.contents, machine.window
        try:
            reply = machine.convention.parse(text)
            write = machine.convention.resolve(reply, window, machine.arithmetic)
            machine.contents = machine.memory.write(before, write)
            state = machine.state
            for action in reply.actions:
                state = machine.domain.apply(state, action)
        except StepFault as fault:
            machine.fail(fault, text)
        else:
            machine.contents = before
            machine.step(text)


class ActsFirst(Sound):
    """Carries out the actions of a step before its write is found to be in order."""

    def step(self, machine, model, prompt):
        before = machine.state
        super().step(machine, model, prompt)
        if machine.fault is not None and machine.fault.kind == "action":
            machine.state = before if machine.steps % 2 else machine.domain.initial(machine.problem)
            machine.actions += 1


class GivesUpTogether(Lockstep):
    """A fault of one prompt ends all runs under way."""

    name = "faulty"

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


class SwallowsFaults(Sound):
    """Asks about something else when the model breaks down."""

    def ask(self, machine, model, prompt):
        try:
            return super().ask(machine, model, prompt)
        except NumericFault:
            return machine.convention.target_for(prompt)


class KnowsNoLimits(Sound):
    """Goes on when a limit on the steps is reached."""

    def _run(self, machines, model):
        for machine in machines:
            machine.limits = evolve(machine.limits, steps=10**9)
            yield from super()._run([machine], model)


class LooksForNoLoops(Sound):
    """Switches off the search for loops; a limit ends them."""

    def _run(self, machines, model):
        for machine in machines:
            machine.assume(deterministic=False)
            yield from super()._run([machine], model)


class SwallowsErrors(Sound):
    """Takes a model that fails for one that knows no answer."""

    def ask(self, machine, model, prompt):
        try:
            return super().ask(machine, model, prompt)
        except CocError:
            return "no answer"


class BlamesNobody(Sound):
    def ask(self, machine, model, prompt):
        return model.complete([prompt])[0]


class SwallowsInterruptions(Sound):
    def step(self, machine, model, prompt):
        try:
            super().step(machine, model, prompt)
        except KeyboardInterrupt:
            machine.interrupt()


class HalfAStep(Sound):
    """An interruption finds it with an answer that is written and not yet counted."""

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


class DoesNotStop(Sound):
    """Goes on with a machine that was asked to stop."""

    def step(self, machine, model, prompt):
        super().step(machine, model, prompt)
        machine._ended = machine.fault is not None


class RepeatsAnAction(Sound):
    """Carries out the first action once more when it goes on with a run."""

    def _run(self, machines, model):
        for machine in machines:
            if machine.steps > 0 and machine.peek() is not None:
                machine.actions += 1
            yield from super()._run([machine], model)


class BeginsAgain(Sound):
    """Counts from one when it goes on with a run."""

    def _run(self, machines, model):
        for machine in machines:
            machine.steps = 0
            yield from super()._run([machine], model)


FAULTS = {
    NeedsOne: ("no_machines_no_outcomes", "RuntimeError"),
    KeyedTooCoarsely: ("right_targets_solve", "by Algorithm 1 it is"),
    SkipsNotes: ("right_targets_solve", "by Algorithm 1 it is"),
    Helps: ("wrong_targets_end_alike", "by Algorithm 1 it is"),
    BelievesDrafts: ("wrong_targets_end_alike", "by Algorithm 1 it is"),
    MixesTwo: ("runs_are_not_mixed", "by Algorithm 1 it is"),
    SwapsOutcomes: ("outcomes_are_in_order", "they should take"),
    DropsTheLast: ("each_machine_is_returned_once", "did not yield machine 96"),
    DropsFailures: ("each_machine_is_returned_once", "did not yield machine "),
    RepeatsOne: ("each_machine_is_returned_once", "was yielded before"),
    Invents: ("no_machines_no_outcomes", "what is not a machine"),
    TakesNoMore: ("each_machine_is_returned_once", "did not yield machine 61"),
    WantsAList: ("each_machine_is_returned_once", "TypeError"),
    TooEarly: ("each_machine_is_returned_once", "before the run had ended"),
    TriesAloud: ("each_step_is_reported_once", "those are reported: [1]"),
    Remembers: ("executors_can_be_reused", "by Algorithm 1 it is"),
    CountsFaults: ("calls_are_counted", "model_calls is"),
    IgnoresNondeterminism: ("nondeterministic_models_are_not_cached", "by Algorithm 1 it is"),
    CommitsFirst: ("refused_steps_change_nothing", "these steps alone lead to"),
    ActsFirst: ("refused_steps_change_nothing", "these steps alone lead to"),
    GivesUpTogether: ("a_fault_ends_one_run", "by Algorithm 1 it is"),
    SwallowsFaults: ("a_fault_ends_one_run", "by Algorithm 1 it is"),
    KnowsNoLimits: ("limits_hold", "by Algorithm 1 it is"),
    LooksForNoLoops: ("endless_runs_end", "by Algorithm 1 it is"),
    SwallowsErrors: ("broken_models_are_reported", "what comes out is None"),
    BlamesNobody: ("broken_models_are_reported", "what comes out is RuntimeError('out of order')"),
    SwallowsInterruptions: ("interruptions_leave_whole_steps", "an interruption does not come out"),
    HalfAStep: ("interruptions_leave_whole_steps", "these steps alone lead to"),
    CannotGoOn: ("interruptions_leave_whole_steps", "going on after an interruption is"),
    DoesNotStop: ("requests_to_stop_are_obeyed", "a run that was asked to stop at step 1 is"),
    RepeatsAnAction: ("runs_resume_where_they_are", "by Algorithm 1 it is"),
    BeginsAgain: ("runs_resume_where_they_are", "by Algorithm 1 it is"),
}
