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


def move_disks(n, lines):
    """The disks of each of three pegs, from the bottom up, after moves such as `Move disk 1 from 1 to 3`."""
    pegs = {1: list(range(n, 0, -1)), 2: [], 3: []}
    for line in lines:
        disk, src, dst = (int(word) for word in line.replace("Peg ", "").split(" ")[2::2])
        assert pegs[src][-1:] == [disk], f"{line}: it is not on top"
        assert not pegs[dst] or pegs[dst][-1] > disk, f"{line}: onto a smaller one"
        pegs[dst].append(pegs[src].pop())
    return pegs
