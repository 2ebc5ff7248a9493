"""A plugin with a bug at its top level."""

raise RuntimeError("the sky\nis falling")
