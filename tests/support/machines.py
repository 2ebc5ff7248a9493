"""Machines without a registry, and what they leave behind."""

from coc_core.arithmetic import Inline, Symbolic
from coc_core.execution import Cached, Lockstep, Machine, Sequential, Speculative, Summary
from coc_core.memories import PDAStack, PointerTape, Reference, StackConvention, tape_convention
from coc_core.types import Limits
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import Tower

SETTINGS = (("tape", "inline"), ("tape", "symbolic"), ("pda", "inline"), ("pda", "symbolic"))
EXECUTORS = (Sequential, Cached, Lockstep, Speculative, Summary)
_MEMORIES = {"tape": (PointerTape, tape_convention), "pda": (PDAStack, StackConvention)}
_ORACLES = {"inline": Inline, "symbolic": Symbolic}


def convention(memory="pda", arith="symbolic", domain=None, limits=Limits()):
    return _MEMORIES[memory][1](domain or Hanoi(), _ORACLES[arith].notation, limits)


def machine(memory="pda", arith="symbolic", problem=Tower(3), domain=None, limits=Limits(), listeners=()):
    domain = domain or Hanoi()
    spoken = convention(memory, arith, domain, limits)
    kept = _MEMORIES[memory][0](limits)
    return Machine(domain, problem, kept, spoken, _ORACLES[arith](), limits=limits, listeners=listeners)


def contents(machine):
    """All that a step may change."""
    return machine.state, machine.windows, machine.pointer, machine.steps, machine.actions


def solve(machine, executor=Sequential, model=None):
    (outcome,) = executor().run([machine], model or Reference(machine.convention))
    return outcome


def recorded(memory="pda", arith="symbolic", problem=Tower(3), executor=Sequential, domain=None):
    """The trace of a run: its prompt-target pairs, its plan and its outcome."""
    commits = []
    outcome = solve(machine(memory, arith, problem, domain, listeners=[commits.append]), executor)
    pairs = [(record.prompt, record.target) for record in commits]
    return pairs, [action for record in commits for action in record.actions], outcome


def towers_of(n, src, dst):
    """The classic solution, written without anything of coc: (disk, from, to)."""
    if n == 0:
        return []
    aux = 6 - src - dst
    return [*towers_of(n - 1, src, aux), (n, src, dst), *towers_of(n - 1, aux, dst)]
