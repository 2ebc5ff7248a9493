"""Blocks on a table with room for three stacks."""
