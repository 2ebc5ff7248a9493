"""Blocks and a hand, from the rules alone: states, distances, atoms, problems. Nothing here knows of coc.

A state is a frozenset of towers, each a tuple of names from the table up, and the block in the hand, () or (name,).
"""

from itertools import pairwise


def every_state(names):
    """All states of these blocks, each once."""
    found = [(towers, ()) for towers in _sets_of_towers(tuple(names))]
    for held in names:
        found += [(towers, (held,)) for towers in _sets_of_towers(tuple(name for name in names if name != held))]
    return found


def _sets_of_towers(names):
    if not names:
        return [frozenset()]
    block, found = names[0], []
    for towers in _sets_of_towers(names[1:]):
        found.append(towers | {(block,)})
        found += [
            towers - {tower} | {(*tower[:place], block, *tower[place:])}
            for tower in sorted(towers)
            for place in range(len(tower) + 1)
        ]
    return found


def neighbours(state):
    """The states one action away."""
    towers, hand = state
    if hand:
        return [(towers | {hand}, ()), *((towers - {tower} | {tower + hand}, ()) for tower in towers)]
    return [(towers - {tower} | ({tower[:-1]} - {()}), tower[-1:]) for tower in towers]


def distances(state):
    """The number of actions to each state. Every action can be undone, so it is also the number from there."""
    found, level = {state: 0}, [state]
    while level:
        following = []
        for one in level:
            for other in neighbours(one):
                if other not in found:
                    found[other] = found[one] + 1
                    following.append(other)
        level = following
    return found


def atoms(state):
    """The atoms that hold in a state."""
    towers, hand = state
    found = {("holding", *hand)} if hand else {("handempty",)}
    for tower in towers:
        found |= {("ontable", tower[0]), ("clear", tower[-1])}
        found |= {("on", upper, lower) for lower, upper in pairwise(tower)}
    return found


def every_atom(names):
    """All atoms over these blocks."""
    single = [(predicate, name) for predicate in ("ontable", "clear", "holding") for name in names]
    return [("handempty",), *single, *(("on", one, other) for one in names for other in names)]


def play(state, lines):
    """The state after actions such as `stack a b`; AssertionError at the first illegal one."""
    for line in lines:
        action, block, *lower = line.split(" ")
        towers, hand = state
        (below,) = [tower for tower in towers if block in tower] or [hand]
        if action in ("pick-up", "unstack"):
            assert not hand, f"{line}: the hand is full"
            assert below[-1] == block, f"{line}: it is covered"
            assert below[-2:-1] == tuple(lower), f"{line}: it lies elsewhere"
            state = (towers - {below} | ({below[:-1]} - {()}), (block,))
        else:
            assert hand == (block,), f"{line}: the hand does not hold it"
            assert action == ("stack" if lower else "put-down"), line
            (target,) = [tower for tower in towers if tower[-1:] == tuple(lower)] if lower else [()]
            state = (towers - {target} | {(*target, block)}, ())
    return state


def lower_bound(start, goal):
    """A number of actions that no plan is below, for two states with empty hands.

    A block that is not in position is moved at least once, and twice if some block is below it in both states, since
    that one has to be moved as well and can't be where it belongs before.
    """
    (one, other), moves = map(_below, (start, goal)), 0
    for block, lower in one.items():
        if lower != other[block]:
            moves += 1 + bool(set(lower) & set(other[block]))
    return 2 * moves


def _below(state):
    """All blocks below each block, from the table up."""
    return {block: tower[:place] for tower in state[0] for place, block in enumerate(tower)}


def draw_state(rng, names):
    """Any state with an empty hand: each block in turn goes onto the table or onto a tower."""
    towers = []
    for name in rng.sample(names, len(names)):
        place = rng.randrange(len(towers) + 1)
        towers[place:] = [(*tower, name) for tower in towers[place : place + 1]] + towers[place + 1 :] or [(name,)]
    return frozenset(towers), ()


NAMES = ("a", "B", "red-block", "object_7", "b10", "b2", "Z9-x_", "nothing", "on", "table", "hand", "clear")


def draw_problem(rng, n):
    """The start, its hand, and a goal that can be reached, of n blocks with odd names."""
    names = [*rng.sample(NAMES, min(n, len(NAMES))), *(f"x{number}" for number in range(n - len(NAMES)))]
    start, goal = (_any(rng, names) for _ in "ab")
    if rng.random() < 0.1:
        goal = start
    wanted = sorted(atoms(goal))
    if rng.random() < 0.6:
        wanted = rng.sample(wanted, rng.randint(0, len(wanted)))
    return start, wanted


def _any(rng, names):
    kind = rng.randrange(5)
    towers, hand = (frozenset((name,) for name in names), ()) if kind == 0 else draw_state(rng, names)
    if kind == 1:
        towers = frozenset([tuple(rng.sample(names, len(names)))])
    if kind == 2:
        tower = rng.choice(sorted(towers))
        towers, hand = towers - {tower} | ({tower[:-1]} - {()}), tower[-1:]
    return towers, hand


def draw_contradiction(rng, n):
    """The start and a goal that nothing can satisfy: one that can be, with atoms that contradict it or one another."""
    start, wanted = draw_problem(rng, n)
    one, other, third = rng.sample(sorted({name for tower in start[0] for name in tower} | set(start[1])), 3)
    bad = rng.choice(
        (
            [("on", one, one)],
            [("on", one, other), ("on", other, one)],
            [("on", one, other), ("on", other, third), ("on", third, one)],
            [("on", one, other), ("on", one, third)],
            [("on", one, third), ("on", other, third)],
            [("on", one, other), ("clear", other)],
            [("on", one, other), ("ontable", one)],
            [("holding", one), ("holding", other)],
            [("holding", one), ("handempty",)],
            [("holding", one), ("clear", one)],
            [("holding", one), ("ontable", one)],
            [("holding", one), ("on", other, one)],
            [("holding", one), ("on", one, other)],
        )
    )
    return start, rng.sample([*wanted, *bad], len(wanted) + len(bad))
