"""The puzzles as environments: Gymnasium's own check, random and hostile agents, rewards, masks, seeds, vectors."""

import random
import re
import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

import coc_core as coc
from coc_core.domain import parse_problem
from coc_core.errors import UsageError
from coc_core.extras import install_command
from coc_doors.gym import envs
from coc_doors.gym.envs import DEAD_END, REWARDS, PuzzleEnv
from coc_problems import optimum, policy_actions
from tests.support.for_each import for_each

DOMAINS = ("blocks", "exact-cover", "hanoi", "pancake", "river-crossing", "sort")
UNSEARCHED = ("exact-cover", "sort")  # no moves, or too many states to tell a distance
LISTING = ("blocks", "hanoi", "river-crossing")


def policy_of(env):
    """The texts of the actions that the reference policy takes."""
    return [
        env.unwrapped.domain.actions.format(action)
        for action in policy_actions(env.unwrapped.domain, env.unwrapped._problem)
    ]


def numbered(env, texts):
    return [env.unwrapped._listed.index(text) for text in texts]


def played(env, actions, seed=0):
    """The rewards of some actions, until the episode ends, and the last result."""
    env.reset(seed=seed)
    results = []
    for action in actions:
        results.append(env.step(action))
        if results[-1][2]:
            break
    return [result[1] for result in results], results[-1]


def rewards_of(domain):
    return [each for each in REWARDS if each != "shaped" or domain not in UNSEARCHED]


@for_each("domain", DOMAINS)
def test_gymnasium_accepts_them(domain):
    check_env(coc.gym.make(domain, n=3).unwrapped)
    for reward in rewards_of(domain):
        check_env(coc.gym.make(domain, n=2, reward=reward).unwrapped, skip_render_check=True)
        if domain in LISTING:
            check_env(coc.gym.make(domain, n=2, reward=reward, structured=True).unwrapped, skip_render_check=True)


@for_each("domain", DOMAINS)
def test_random_episodes(domain):
    """An agent that knows what actions look like, and often not even that. Gymnasium's checks raise, as warnings do."""
    rng = random.Random(domain)
    rewards = rewards_of(domain)
    kinds = [{"reward": reward} for reward in rewards] + [{"structured": True}] * (domain in LISTING)
    envs = [coc.gym.make(domain, n=3, max_episode_steps=20, **kind) for kind in kinds]
    numeric = envs[len(rewards) :]
    for env in envs:
        env.action_space.seed(0)
    for episode in range(30):
        env = envs[episode % len(envs)]
        observation, info = env.reset(seed=episode)
        texts, ended, steps = policy_of(env), False, 0
        while not ended:
            if env in numeric or not texts or rng.random() < 0.1:
                action = env.action_space.sample()
            else:
                action = re.sub(r"\d", lambda found: rng.choice([found[0], "1", "2", "3"]), rng.choice(texts))
            before = observation
            observation, _, terminated, truncated, info = env.step(action)
            assert observation in env.observation_space
            assert info["reason"] == "" or str(before) == str(observation)
            steps += 1
            ended = terminated or truncated
        assert steps <= 20


@for_each("domain", DOMAINS)
def test_the_reference_policy_earns_every_reward(domain):
    for reward in rewards_of(domain):
        env = coc.gym.make(domain, n=3, reward=reward, max_episode_steps=None)
        _, info = env.reset(seed=5)
        rewards, (_, _, terminated, _, last) = played(env, policy_of(env) or ["anything"], seed=5)
        assert terminated
        assert last == info
        puzzle = env.unwrapped.domain
        expected = {"goal": 1, "exact": len(rewards)}
        if reward == "shaped":
            expected[reward] = 1 + optimum(puzzle, parse_problem(puzzle, info["problem"]))
        assert sum(rewards) == expected[reward]


def test_exact_ends_at_the_first_other_action():
    env = coc.gym.make("hanoi", n=2, reward="exact")
    rewards, result = played(env, ["Move disk 1 from 1 to 2", "Move disk 1 from 2 to 3"])
    assert rewards == [1, 0]
    assert result[2]
    with pytest.raises(ResetNeeded):
        env.step("Move disk 2 from 1 to 3")
    rewards, result = played(env, ["Move disk 2 from 1 to 3"])
    assert (rewards, result[2]) == ([0], True)
    assert "disk 1 on top" in result[4]["reason"]


def test_a_goal_that_is_out_of_reach_is_far_away(monkeypatch):
    env = PuzzleEnv("hanoi", n=1, reward="shaped")
    env.reset()
    monkeypatch.setattr(env.domain, "is_goal", lambda problem, state: False)
    assert env._distance(env._state) == DEAD_END


def test_a_problem_that_begins_solved_ends_at_once():
    for reward in ("goal", "exact", "shaped"):
        _, result = played(coc.gym.make("pancake", n=1, reward=reward), ["anything"])
        assert result[1:3] == (1, True)
        assert result[4]["reason"] == ""


@for_each("domain", LISTING)
def test_the_mask_marks_what_is_legal(domain):
    env = coc.gym.make(domain, n=3, structured=True)
    rng = random.Random(0)
    for seed in range(10):
        _, info = env.reset(seed=seed)
        for _ in range(10):
            mask = info["action_mask"]
            assert env.action_space.contains(env.action_space.sample(mask))
            action = rng.randrange(len(mask))
            _, _, terminated, _, info = env.step(action)
            if terminated:
                break
            assert bool(mask[action]) == (info["reason"] == "")


def test_places_are_columns_and_heights():
    env = coc.gym.make("hanoi", n=2, structured=True)
    observation, _ = env.reset()
    assert observation["places"].tolist() == [0, 1, 0, 0]
    assert observation["goal"].tolist() == [2, 1, 2, 0]
    observation, *_ = env.step(numbered(env, ["Move disk 1 from 1 to 3"])[0])
    assert observation["places"].tolist() == [2, 0, 0, 0]
    assert env.observation_space["places"].nvec.tolist() == [3, 2, 3, 2]  # flat, as learners take it
    _, (last, *_) = played(env, numbered(env, policy_of(env)))
    assert last["places"].tolist() == last["goal"].tolist()


def test_splits_share_no_problem():
    def problems(split):
        env = coc.gym.make("pancake", n=4, split=split)
        return {env.reset(seed=seed)[1]["problem"] for seed in range(40)}

    assert problems("train") & problems("test") == set()


HOSTILE = [
    10**1000, -1, None, "x" * 2**20, "\0", "é", "Move disk " + "9" * 4000 + " from 1 to 3", "Move disk 1 from 1 to 3\n",
    b"Move disk 1 from 1 to 3", 1.0, float("nan"), object(), [1], {}, np.zeros(2), np.array([3]), np.array("x"),
    np.array(None), np.float64(2),
]  # fmt: skip


@for_each("action", HOSTILE)
def test_what_is_no_action_changes_nothing(action):
    for structured in (False, True):
        env = coc.gym.make("hanoi", n=3, structured=structured)
        before, _ = env.reset(seed=0)
        after, reward, terminated, truncated, info = env.step(action)
        assert str(after) == str(before)
        assert (reward, terminated, truncated) == (0, False, False)
        assert "\n" not in info["reason"]
        assert 0 < len(info["reason"]) < 200


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_vectors(mode):
    for structured in (False, True):
        envs = gymnasium.make_vec(
            "coc_doors.gym.envs:coc/hanoi-v0", num_envs=3, vectorization_mode=mode, n=2, structured=structured
        )
        _, info = envs.reset(seed=0)
        assert info["problem"].tolist() == ["n=2 src=1 dst=3"] * 3
        moves = ["Move disk 1 from 1 to 2", "Move disk 2 from 1 to 3", "Move disk 1 from 2 to 3"]
        actions = numbered(PuzzleEnv("hanoi", n=2, structured=True), moves) if structured else moves
        for action in actions:
            _, rewards, terminated, _, _ = envs.step(np.array([action] * 3) if structured else (action,) * 3)
        assert rewards.tolist() == [1, 1, 1]
        assert terminated.all()
        envs.close()


def test_pictures():
    env = coc.gym.make("hanoi", n=2, render_mode="ansi")
    observation, _ = env.reset()
    assert env.render() == observation.partition("\n\n")[2]
    assert PuzzleEnv("hanoi").render() is None


@for_each(
    "options, message",
    [
        ({"domain": "hanoi", "reward": "gold"}, "reward='gold' is not one of goal, exact, shaped"),
        ({"domain": "hanoi", "split": "dev"}, "split='dev' is not one of train, test, all"),
        ({"domain": "hanoi", "render_mode": "human"}, "render_mode='human' is not one of None, ansi"),
        ({"domain": "hanoi", "n": 0}, "hanoi has no problem of size n=0"),
        ({"domain": "hanio"}, "unknown domain 'hanio'; did you mean 'hanoi'?"),
        ({"domain": "pancake", "structured": True}, "pancake does not list its actions; leave out structured=True"),
        ({"domain": "hanoi-any", "structured": True}, "hanoi-any has problems of several shapes"),
        (
            {"domain": "river-crossing", "n": 50, "structured": True},
            "has too many actions to search; choose a smaller n",
        ),
        ({"domain": "hanoi", "n": 20, "reward": "shaped"}, "hanoi has too many actions to search"),
    ],
)
def test_bad_options_have_one_clear_line(options, message, monkeypatch):
    monkeypatch.setattr(envs, "MOST_LISTED", 1_000)
    with pytest.raises(UsageError) as caught:
        PuzzleEnv(**options)
    assert message in str(caught.value)


def test_without_gymnasium_an_error_says_how_to_install_it():
    code = "import sys; sys.modules['gymnasium'] = None; import coc_core as coc; coc.gym.make"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert install_command("gym").partition(" install ")[2] in done.stderr.splitlines()[-1]
