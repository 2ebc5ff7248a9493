"""Kosaraju's algorithm: how many strongly connected components a graph has."""

from typing import cast

from coc_programs import Function, Record, Steps, chain, new, procedure, read, write
from coc_programs.library import List, Number, successor, zero


class Node(Record):
    """A node: the first of its edges, the first of those that lead to it, and how often it was visited."""

    out: "Edge | None" = None
    back: "Edge | None" = None
    visited: bool = False
    counted: bool = False


class Edge(Record):
    """An edge to a node, and the next edge of the same one."""

    to: Node
    next: "Edge | None" = None


@procedure
def kosaraju(nodes: List[Node]) -> Steps[Number]:
    """Return the number of components in which each node can be reached from each other."""
    order: List[Node] = yield new(List)
    count: Number = yield zero()
    x = yield read(nodes)
    while x.next:
        node, nodes = cast(Node, x.first), x.next
        n = yield read(node)
        for e in chain(n.out, "next"):
            there = e.to
            t = yield read(there)
            fresh: Edge = yield new(Edge, to=node, next=t.back)
            yield write(there, back=fresh)
        order = yield visit(node, order)
        x = yield read(nodes)
    x = yield read(order)
    while x.next:
        node, order = cast(Node, x.first), x.next
        n = yield read(node)
        if not n.counted:
            count = yield successor(count)
            yield mark(node)
        x = yield read(order)
    return count


@procedure
def visit(node: Node, order: List[Node]) -> Steps[List[Node]]:
    """Put the nodes that can be reached, and were not, in front of others, each after those that it leads to."""
    n = yield read(node)
    if n.visited:
        return order
    yield write(node, visited=True)
    for e in chain(n.out, "next"):
        order = yield visit(e.to, order)
    return (yield new(List, first=node, next=order))


@procedure
def mark(node: Node) -> Steps[None]:
    """Mark the nodes from which one can be reached."""
    n = yield read(node)
    if not n.counted:
        yield write(node, counted=True)
        for e in chain(n.back, "next"):
            yield mark(e.to)


class Kosaraju(Function):
    """n nodes with 2 n edges."""

    main = kosaraju

    def draw(self, n, rng):
        nodes = [Node() for _ in range(n)]
        for _ in range(2 * n):
            node = rng.choice(nodes)
            node.out = Edge(to=rng.choice(nodes), next=node.out)
        return nodes

    def reference(self, nodes):
        def reached(node):
            found, queue = {id(node)}, [node]
            for each in queue:
                edge = each.out
                while edge:
                    if id(edge.to) not in found:
                        found.add(id(edge.to))
                        queue.append(edge.to)
                    edge = edge.next
            return found

        ways = {id(node): reached(node) for node in nodes}
        return len({frozenset(each for each in ways[id(node)] if id(node) in ways[each]) for node in nodes})
