"""Settings as tasks of harnesses that evaluate or train language models: inspect_ai, verifiers and reasoning-gym.

Each finds its module by an entry point or by name, and imports nothing else.
"""
