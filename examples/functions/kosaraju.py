"""Kosaraju's algorithm: how many strongly connected components a graph has."""

from coc_programs import Function, Steps, chain, each, new, procedure
from coc_programs.library import List, Map, Number, entries, get, put, successor, zero


@procedure
def kosaraju(edges: Map[List[Number]]) -> Steps[Number]:
    """Return the number of sets of nodes of which each can be reached from each, given where edges lead to."""
    empty: List[Number] = yield new(List)
    order = empty
    back: Map[List[Number]] = yield new(Map)
    visited: Map[Number] = yield new(Map)
    for node in chain((yield entries(edges)), "next"):
        for there in each(node.item):
            yield put(back, there, (yield new(List, first=node.key, next=(yield get(back, there)) or empty)))
        order = yield visit(node.key, edges, visited, order)
    count: Number = yield zero()
    visited = yield new(Map)
    for leader in each(order):
        if not (yield get(visited, leader)):
            count = yield successor(count)
            yield visit(leader, back, visited, empty)
    return count


@procedure
def visit(node: Number, edges: Map[List[Number]], visited: Map, order: List[Number]) -> Steps[List[Number]]:
    """Put the nodes that can be reached, and were not, in front of others, each before those that it leads to."""
    if (yield get(visited, node)):
        return order
    yield put(visited, node, node)
    for there in each((yield get(edges, node)) or (yield new(List))):
        order = yield visit(there, edges, visited, order)
    return (yield new(List, first=node, next=order))


class Kosaraju(Function):
    """n nodes with 2 n edges."""

    main = kosaraju

    def draw(self, n, rng):
        return {node: [rng.randrange(n) for _ in range(2)] for node in range(n)}

    def reference(self, edges):
        reached = {node: {node} for node in edges}
        for _ in edges:
            for node in edges:
                reached[node] = reached[node].union(*(reached[there] for there in edges[node]))
        return len({frozenset(other for other in reached[node] if node in reached[other]) for node in edges})
