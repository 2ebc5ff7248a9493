"""Problems of the domain `blocks` for tests, and their plans by the policy alone."""

from coc_problems import effects, policy_steps
from coc_puzzles.blocksworld.blocks.policy import Blocks
from coc_puzzles.blocksworld.blocks.problem import Problem

DOMAIN = Blocks()


def problem_of(state, goal):
    """The problem with this start; see `block_states`."""
    return Problem(tuple(sorted(state[0])), state[1], tuple(goal))


def plan_of(problem):
    """The physical plan that the policy makes."""
    actions = [emit for _, step in policy_steps(DOMAIN, problem) for emit in step.emits if emit in DOMAIN.actions]
    return list(effects(DOMAIN, DOMAIN.initial(problem), actions))
