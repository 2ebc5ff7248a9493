"""Votes: each step is decided by several responses of a model that is sometimes wrong."""
