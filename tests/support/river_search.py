"""The shortest river crossings, by a search written from the rules alone. It knows nothing of coc."""


def fewest(pairs, boat):
    """The least number of crossings, None if there is no way. Pairs in the same places are exchanged for each other.

    A state is the number of pairs of which both are where the boat is, the agent alone, the actor alone; and whether
    that is the left bank.
    """
    level, seen, crossings = {(pairs, 0, 0, True)}, set(), 0
    while level:
        if (pairs, 0, 0, False) in level:
            return crossings
        seen |= level
        level = {after for state in level for after in _crossed(pairs, boat, *state)} - seen
        crossings += 1
    return None


def _crossed(pairs, boat, both, agents, actors, boat_is_left):
    """The states after each legal crossing."""
    for whole in range(min(both, boat // 2) + 1):
        for split_agents in range(min(both - whole, boat) + 1):
            for split_actors in range(min(both - whole - split_agents, boat) + 1):
                for lone_agents in range(min(agents, boat) + 1):
                    for lone_actors in range(min(actors, boat) + 1):
                        crew_agents = whole + split_agents + lone_agents
                        alone = split_actors + lone_actors  # actors of the crew without their agents
                        if not 0 < whole + crew_agents + alone <= boat or (crew_agents and alone):
                            continue
                        stayed = both - whole - split_agents - split_actors
                        agents_here = agents - lone_agents + split_actors
                        actors_here = actors - lone_actors + split_agents
                        both_there = pairs - stayed - agents_here - actors_here
                        if (stayed + agents_here and actors_here) or (both_there + actors_here and agents_here):
                            continue
                        yield both_there, actors_here, agents_here, not boat_is_left
