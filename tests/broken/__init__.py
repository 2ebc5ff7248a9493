"""Plugins that are wrong on purpose."""
