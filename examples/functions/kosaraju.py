"""Kosaraju's algorithm: how many strongly connected components a graph has."""

from coc_programs import Function, Record, Steps, each, new, procedure, read, write
from coc_programs.library import List, Number, successor, zero


class Node(Record):
    """A node: those that it leads to, those that lead to it, and what was visited."""

    out: "List[Node]"
    back: "List[Node]"
    visited: bool = False
    counted: bool = False


@procedure
def kosaraju(nodes: List[Node]) -> Steps[Number]:
    """Return the number of sets of nodes of which each can be reached from each."""
    order: List[Node] = yield new(List)
    for node in each(nodes):
        for there in each((yield read(node)).out):
            before = (yield read(there)).back
            before = yield new(List, first=node, next=before)
            yield write(there, back=before)
        order = yield visit(node, order)
    count: Number = yield zero()
    for node in each(order):
        if not (yield read(node)).counted:
            count = yield successor(count)
            yield mark(node)
    return count


@procedure
def visit(node: Node, order: List[Node]) -> Steps[List[Node]]:
    """Put the nodes that can be reached, and were not, in front of others, each before those that it leads to."""
    n = yield read(node)
    if n.visited:
        return order
    yield write(node, visited=True)
    for there in each(n.out):
        order = yield visit(there, order)
    return (yield new(List, first=node, next=order))


@procedure
def mark(node: Node) -> Steps[None]:
    """Mark the nodes from which one can be reached."""
    n = yield read(node)
    if not n.counted:
        yield write(node, counted=True)
        for there in each(n.back):
            yield mark(there)


class Kosaraju(Function):
    """n nodes with 2 n edges."""

    main = kosaraju

    def draw(self, n, rng):
        nodes = [Node(out=[], back=[]) for _ in range(n)]
        for _ in range(2 * n):
            rng.choice(nodes).out.append(rng.choice(nodes))
        return nodes

    def reference(self, nodes):
        reached = {node: {node} for node in nodes}
        for _ in nodes:
            for node in nodes:
                reached[node] = reached[node].union(*(reached[there] for there in node.out))
        return len({frozenset(other for other in reached[node] if node in reached[other]) for node in nodes})
