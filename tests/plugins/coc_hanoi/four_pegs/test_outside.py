"""Our plans, judged by somebody else's code: reasoning-gym scores 1.0 a plan that is legal, complete and shortest."""

import pytest

from coc_core.domain import policy_steps
from coc_hanoi.domain import Hanoi
from coc_hanoi.four_pegs.domain import HanoiFour
from coc_hanoi.four_pegs.instructions import Tower
from coc_hanoi.instructions import Tower as OnThreePegs

DOMAINS = {3: (Hanoi(), OnThreePegs), 4: (HanoiFour(), Tower)}


@pytest.mark.slow
def test_their_problems_are_ours():
    from reasoning_gym.games.tower_of_hanoi import HanoiConfig, HanoiDataset

    dataset, by_pegs = HanoiDataset(HanoiConfig(size=100, seed=4)), {3: 0, 4: 0}
    for item in dataset:
        told = item["metadata"]
        domain, tower = DOMAINS[told["num_pegs"]]
        problem = tower(told["num_disks"], told["start_peg"], told["target_peg"])
        moves = [move for _, step in policy_steps(domain, problem) for move in step.emits]
        lines = [f"Move disk {move.disk} from Peg {move.src} to Peg {move.dst}" for move in moves]
        assert dataset.score_answer("\n".join(lines), item) == 1.0
        by_pegs[told["num_pegs"]] += 1
    assert min(by_pegs.values()) > 20
