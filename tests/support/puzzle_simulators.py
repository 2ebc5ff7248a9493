"""Simulators written from the rules of the puzzles alone. They read physical plans and know nothing of coc."""


def arrange_blocks(start, lines):
    """The stacks, sorted, after moves such as `b3 from b4 to table`; AssertionError at the first illegal one.

    `start` is a list of stacks of names, each from the table up.
    """
    stacks = [list(stack) for stack in start]
    for line in lines:
        block, from_word, lower, to_word, place = line.split(" ")
        assert (from_word, to_word) == ("from", "to"), line
        (source,) = [stack for stack in stacks if stack[-1] == block]  # it is clear
        assert lower == (source[-2] if len(source) > 1 else "table"), f"{line}: it lies elsewhere"
        assert place != lower, f"{line}: moves nothing"
        assert place != block, f"{line}: onto itself"
        source.pop()
        if place == "table":
            stacks.append([block])
        else:
            (target,) = [stack for stack in stacks if stack and stack[-1] == place]  # it is clear too
            target.append(block)
        stacks = [stack for stack in stacks if stack]
    return sorted(stacks)


def turn_pancakes(start, lines):
    """The stack, from the bottom up, after flips such as `flip 3`, which turn over that many from the top."""
    stack = list(start)
    for line in lines:
        word, count = line.split(" ")
        assert word == "flip"
        assert 2 <= int(count) <= len(stack), f"{line}: moves nothing or too many"
        stack[-int(count) :] = stack[-int(count) :][::-1]
    return stack


def move_disks(n, pegs, src, lines):
    """The disks on each peg, from the bottom up, after moves such as `Move disk 1 from 1 to 4` or `from Peg 1 to Peg 4`.

    At first all n of them are on peg `src`; AssertionError at the first illegal move.
    """
    piles = {peg: [] for peg in range(1, pegs + 1)}
    piles[src] = list(range(n, 0, -1))
    for line in lines:
        move, word, disk, from_word, source, to_word, target = line.replace("Peg ", "").split(" ")
        assert (move, word, from_word, to_word) == ("Move", "disk", "from", "to"), line
        assert piles[int(source)], f"{line}: the peg is empty"
        assert piles[int(source)].pop() == int(disk), f"{line}: another disk is on top"
        assert all(below > int(disk) for below in piles[int(target)]), f"{line}: onto a smaller one"
        piles[int(target)].append(int(disk))
    return list(piles.values())


def row_people(pairs, boat, lines):
    """Who is on the left bank, and where the boat is, after crossings such as `Row [A1, a1] to the right bank`.

    AssertionError at the first one in which somebody is missing, too many row, or an actor is with an agent, in the
    boat or on a bank, without his own.
    """
    banks = {"left": {f"{letter}{number}" for letter in "Aa" for number in range(1, pairs + 1)}, "right": set()}
    place = "left"
    for line in lines:
        names, _, target = line.removeprefix("Row [").removesuffix(" bank").partition("] to the ")
        crew = names.split(", ")
        assert 1 <= len(set(crew)) == len(crew) <= boat, f"{line}: too many, too few or twice"
        assert target != place, f"{line}: the boat is there"
        assert set(crew) <= banks[place], f"{line}: somebody is not there"
        banks[place] -= set(crew)
        banks[target] |= set(crew)
        place = target
        for together in (set(crew), *banks.values()):
            agents = {name for name in together if name.startswith("A")}
            for actor in together - agents:
                assert not agents or actor.upper() in agents, f"{line}: {actor} is without {actor.upper()}"
    return banks["left"], place
