"""Puzzles: Tower of Hanoi, blocks, pancakes, a river to cross."""
