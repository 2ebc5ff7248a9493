"""Runs of programs on the heap with the reference policy, and their distinct prompts."""

from coc_core.arithmetic import Symbolic
from coc_core.execution import Machine
from coc_programs import interpret
from coc_programs.heap.convention import HeapConvention
from coc_programs.heap.memory import Heap


class HeapRuns:
    """Runs of one program, in the language of `convention`. `targets` has the target of each prompt that was reached."""

    def __init__(self, domain):
        self.domain = domain
        self.targets = {}
        self.convention = HeapConvention(domain, "symbolic")

    def __call__(self, problem, listeners=()):
        """The machine after the run of a problem, without a fault."""
        machine = Machine(self.domain, problem, Heap(), self.convention, Symbolic(), listeners=listeners)
        machine.run(self._target)
        assert machine.fault is None
        return machine

    def _target(self, prompt):
        if prompt not in self.targets:
            self.targets[prompt] = self.convention.target_for(prompt)
        return self.targets[prompt]

    def actions(self, problem):
        """The actions of the run of a problem, which are those of the program as it stands."""
        taken = []
        self(problem, [lambda step: taken.extend(step.actions)])
        assert taken == [each for each in interpret(*self.domain.begin(problem)) if each in self.domain.actions]
        return taken
