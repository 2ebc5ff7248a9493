"""A plugin that is none: its hook lacks the marker."""


def coc_domains():
    return []
