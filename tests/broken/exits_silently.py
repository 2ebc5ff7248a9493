"""A plugin that leaves without a word."""

raise SystemExit
