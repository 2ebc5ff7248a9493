"""Learned arithmetic: a second, small model computes addresses. Its prompts and targets, its pairs, its oracle."""
