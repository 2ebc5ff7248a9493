"""Whether a plugin's distribution can do with the version of coc that is installed."""

import re
from importlib.metadata import Distribution, version

from coc_core.text import quoted

DISTRIBUTION = "chain-of-computation"

_NAME = re.compile(r"\s*([A-Za-z0-9._-]+)", re.ASCII)


def unmet_requirement(distribution: Distribution | None) -> str:
    """What a distribution requires of coc that the installed version does not meet; empty if it meets everything."""
    for text in getattr(distribution, "requires", None) or ():
        name = _NAME.match(text)
        # Most requirements have no version, and `packaging` takes a while to import.
        if name and re.sub("[-_.]+", "-", name[1]).lower() == DISTRIBUTION and name.end() < len(text.rstrip()):
            reason = _unmet(text)
            if reason:
                return reason
    return ""


def _unmet(text: str) -> str:
    from packaging.requirements import Requirement

    try:
        requirement = Requirement(text)
        applies = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
    except ValueError:
        return f"its requirement {quoted(text)} can't be read"
    present = version(DISTRIBUTION)
    if not applies or requirement.specifier.contains(present, prereleases=True):
        return ""
    return f"it requires {DISTRIBUTION}{requirement.specifier}, and {present} is installed"
