"""The puzzles as environments of Gymnasium, under the names `coc/hanoi-v0` and so on.

Gymnasium 1 has no entry points: it finds an environment once a module has registered it. Importing this module does:

    gymnasium.make("coc_doors.gym.envs:coc/hanoi-v0", n=3)

No model and no memory is involved: an agent sees a state and chooses an action, and the domain's rules do the rest.
"""

from collections.abc import Mapping
from contextlib import suppress
from functools import reduce
from itertools import chain
from operator import index
from typing import Any

import numpy as np

from coc_core.domain import Domain, scene_of
from coc_core.errors import ActionFault, UsageError
from coc_core.extras import needs_extra
from coc_core.plugin import DomainSpec, Registry
from coc_core.text import message_of
from coc_problems import MOST_PROBLEMS, Split, levels, policy_actions, sample_problems

with needs_extra("gym", "environments need the package gymnasium"):
    import gymnasium
    from gymnasium import spaces
    from gymnasium.error import ResetNeeded

REWARDS = ("goal", "exact", "shaped")

DEFAULT_N = 4
MOST_STEPS = 1_000
"""After how many actions an episode is truncated, unless `max_episode_steps` of `gymnasium.make` says otherwise."""

MOST_LISTED = 200_000
"""How many actions, all states of a search together, may be listed for numbers or the shaped reward."""

LONGEST_ACTION = 4_096
LONGEST_OBSERVATION = 1 << 18
DEAD_END = 1_000_000
"""What counts as the distance to a goal that can't be reached any more."""

_SEEDS = 20  # of problems whose columns and things are compared
_WIDTH = 100  # of a picture, in characters
_ASCII = frozenset(map(chr, range(ord(" "), 0x7F)))
_DRAWN = _ASCII | {"\n", *map(chr, range(0xA0, 0x100)), *map(chr, range(0x2190, 0x2600))}  # arrows, boxes, blocks


class PuzzleEnv(gymnasium.Env[Any, Any]):
    """A puzzle. An episode ends at the goal. An illegal action changes nothing, and `info["reason"]` says why.

    If a problem begins at its goal, its first action is not taken and ends the episode as solved.

    Args:
        domain: The puzzle.
        n: The size of its problems. Each reset draws one; `info["problem"]` has it.
        reward: `goal`: 1 at the goal. `exact`: 1 for each action that is the reference policy's next, and the first
            other one ends the episode. `shaped`: 1 at the goal and, for each action, by how many moves it is nearer
            than before (potential-based, so that the best plans stay the best); for small problems.
        structured: Whether to use numbers in place of texts. As text, an observation is the problem and a picture, and
            an action is as plans have it. As numbers, an observation has column and height of each thing, in the order
            of their names: `places` now, and `goal` where the reference policy puts them. An action is its number among
            all that a search through the states finds, in the order of their texts; `info["action_mask"]` marks the
            legal ones. These are the spaces that learners such as stable-baselines3 take.
        split: Whether problems are drawn from `train`, `test` or `all`.
        render_mode: `ansi` for the picture as text.

    Raises:
        UsageError: A name or a size is unknown, or the puzzle or its size does not allow the reward or the numbers.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}

    def __init__(
        self,
        domain: str,
        n: int = DEFAULT_N,
        reward: str = "goal",
        structured: bool = False,
        split: str = "all",
        render_mode: str | None = None,
    ) -> None:
        for name, value, known in (
            ("reward", reward, REWARDS),
            ("split", split, tuple(Split)),
            ("render_mode", render_mode, (None, *self.metadata["render_modes"])),
        ):
            if value not in known:
                raise UsageError(f"{name}={value!r} is not one of {', '.join(map(str, known))}")
        self.domain: Domain[Any, Any, Any, Any] = Registry.installed().create(DomainSpec, domain)
        self.domain.check_size(n)
        self.render_mode = render_mode
        self._n, self._reward, self._split, self._ended = n, reward, Split(split), True
        listed = self._every_action() if structured or reward == "shaped" else ()
        self._listed = listed if structured else None
        self.observation_space: spaces.Space[Any] = spaces.Text(LONGEST_OBSERVATION, charset=_DRAWN)
        self.action_space: spaces.Space[Any] = spaces.Text(LONGEST_ACTION, charset=_ASCII)
        if self._listed is not None:
            starts = [self.domain.initial(self.domain.problem(n, seed)) for seed in range(_SEEDS)]
            shapes = {(len(scene_of(self.domain, each).columns), len(self._places(each)) // 2) for each in starts}
            columns, things = max(shapes)
            if not self._listed or not things or len(shapes) > 1:
                why = "has problems of several shapes" if len(shapes) > 1 else "does not list its actions"
                raise UsageError(f"{domain} {why}", remedy="leave out structured=True")
            places = spaces.MultiDiscrete([columns, things] * things)
            self.observation_space = spaces.Dict(places=places, goal=places)
            self.action_space = spaces.Discrete(len(self._listed))

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Draw a problem, by the seed if there is one; give its first observation and the `info`."""
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(MOST_PROBLEMS))
        (instance,) = sample_problems(self.domain, self._n, 1, drawn, self._split)
        self._problem, self._ended = instance.problem, False
        self._state = self.domain.initial(self._problem)
        self._policy, self._distances = policy_actions(self.domain, self._problem), dict[Any, int]()
        if self._listed is not None:
            self._goal = self._places(
                reduce(self.domain.apply, policy_actions(self.domain, self._problem), self._state)
            )
        return self._seen()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take an action; give the observation, the reward, whether the episode ended, False, and the `info`.
        gymnasium.error.ResetNeeded if the episode has ended.
        """
        if self._ended:
            raise ResetNeeded("the episode has ended: call reset before step")
        before, taken, reason = self._state, None, ""
        if not self._solved():
            try:
                taken = self._read(action)
                self._state = self.domain.apply(before, taken)
            except ActionFault as fault:
                taken, reason = None, fault.message
            except (ValueError, RecursionError) as error:
                reason = message_of(error)
        self._ended, reward = self._solved(), float(self._solved())
        if self._reward == "exact":
            exact = taken == next(self._policy, None)
            self._ended, reward = self._ended or not exact, float(exact)
        elif self._reward == "shaped":
            reward += self._distance(before) - self._distance(self._state)
        observation, info = self._seen(reason)
        return observation, reward, self._ended, False, info

    def render(self) -> Any:
        """Return the picture of the state; None without a render mode."""
        return None if self.render_mode is None else self.domain.render(self._state, _WIDTH)

    def _read(self, given: Any) -> Any:
        """Return the action that an agent gives; ValueError, with the reason, if it is none."""
        if self._listed is None:
            if given not in self.action_space:
                raise ValueError(f"an action is a text of at most {LONGEST_ACTION:,} characters of printable ASCII")
            return self.domain.actions.parse(given)
        with suppress(TypeError):
            if 0 <= (number := index(given)) < len(self._listed):
                return self.domain.actions.parse(self._listed[number])
        raise ValueError(f"an action is a number from 0 to {len(self._listed) - 1:,}")

    def _seen(self, reason: str = "") -> tuple[Any, dict[str, Any]]:
        problem = self.domain.problems.format(self._problem)
        info = {"problem": problem, "reason": reason}
        if self._listed is None:
            return f"{problem}\n\n{self.domain.render(self._state, _WIDTH)}", info
        legal = set[str]()
        for action in self.domain.every_action(self._state) or ():
            with suppress(ActionFault):
                self.domain.apply(self._state, action)
                legal.add(self.domain.actions.format(action))
        mask = np.array([text in legal for text in self._listed], np.int8)
        return {"places": self._places(self._state), "goal": self._goal.copy()}, {**info, "action_mask": mask}

    def _every_action(self) -> tuple[str, ...]:
        """Return the actions in any state of the problems of this size; UsageError if they are too many."""
        domain, n, found, count = self.domain, self._n, set[str](), 0
        for problem in domain.every_problem(n) if domain.few_problems else (domain.problem(n),):
            for level in levels(domain, domain.initial(problem)):
                for action in chain.from_iterable(domain.every_action(state) or () for state in level):
                    found.add(domain.actions.format(action))
                    count += 1
                    if count > MOST_LISTED:
                        raise UsageError(f"{domain.name} has too many actions to search", remedy="choose a smaller n")
        return tuple(sorted(found))

    def _places(self, state: Any) -> Any:
        """Column and height of each thing, one thing after the other in the order of their names."""
        columns = enumerate(scene_of(self.domain, state).columns)
        found = {item.name: (x, y) for x, column in columns for y, item in enumerate(column.items)}
        return np.array(list(chain.from_iterable(found[name] for name in sorted(found))), np.int64)

    def _solved(self) -> bool:
        return self.domain.is_goal(self._problem, self._state)

    def _distance(self, state: Any) -> int:
        """Return the least number of moves to the goal."""
        if state not in self._distances:
            goals = (
                any(self.domain.is_goal(self._problem, each) for each in level) for level in levels(self.domain, state)
            )
            self._distances[state] = next((away for away, found in enumerate(goals) if found), DEAD_END)
        return self._distances[state]


def make(domain: str, **options: Any) -> "gymnasium.Env[Any, Any]":
    """Make a puzzle's environment, as `gymnasium.make` does, whose options it takes beside those of `PuzzleEnv`."""
    return gymnasium.make(f"coc/{domain}-v0", **options)


for _spec in Registry.installed().specs(DomainSpec):
    gymnasium.register(
        f"coc/{_spec.name}-v0",
        entry_point="coc_doors.gym.envs:PuzzleEnv",
        max_episode_steps=MOST_STEPS,
        kwargs={"domain": _spec.name},
    )
