"""The dialects of all plugins, targets of their policies, and texts that are nearly targets."""

import re
from functools import cache
from itertools import islice

from coc_core.arithmetic import parse_expression
from coc_core.errors import ArithmeticFault, CocError, ProtocolFault
from coc_core.plugin import DomainSpec, MemorySpec
from coc_core.setting import Setting
from coc_core.text import parse_number
from coc_learn.datasets import teacher_pairs
from tests.support.installed_plugins import REGISTRY

NUMBERS = ["0", "1", "2", "3", "7", "10", "64", "65", "01"]


@cache
def settings():
    """A setting for each dialect, by its name."""
    found = {}
    for domain in REGISTRY.specs(DomainSpec):
        for memory in REGISTRY.specs(MemorySpec):
            for arith in ("inline", "symbolic"):
                try:
                    setting = Setting.of(REGISTRY, domain.name, memory.name, arith)
                except CocError:  # they don't go together
                    continue
                found.setdefault(setting.convention.dialect, setting)
    return found


def pairs_of(setting, sizes, most):
    """The first pairs of the policy on a problem of each size, but those of cases that can't be, which have no target."""
    convention, found = setting.convention, []
    for n in setting.domain.sizes[:sizes]:
        found += islice(teacher_pairs(setting, [setting.domain.problem(n, 7)]), most)
    return [pair for pair in dict.fromkeys(found) if why_not(convention, pair.target) is None]


def corrupted(rng, targets):
    """A target with one or two changes, some of which another target leads to."""
    text = rng.choice(targets)
    for _ in range(rng.choice((1, 1, 2))):
        text = _changed(rng, text, rng.choice(targets)) if text else text
    return text


def _changed(rng, text, other):
    place, more = rng.randrange(len(text) + 1), rng.randint(0, 6)
    cut = rng.choice((r"(\n)", r"( )", r"(\W)", r"(\d+)"))
    parts, others = re.split(cut, text), re.split(cut, other)
    one, two = rng.randrange(len(parts)), rng.randrange(len(parts))
    match rng.randrange(6):
        case 0:
            return text[:place] + text[place + more :]
        case 1:
            return text[:place] + rng.choice(other + "0123456789 \n[],+-") + text[place + more % 2 :]
        case 2:
            parts[one], parts[two] = parts[two], parts[one]
        case 3:
            parts[one] = rng.choice(others)
        case 4:
            parts[one:two] = others[: rng.randint(0, 3)]
        case _:
            parts[one] = rng.choice([*NUMBERS, f"{int(parts[one]) + 1}"]) if parts[one].isdecimal() else parts[one]
    return "".join(parts)


def why_not(convention, text):
    """Why a text is no target, with numbers or a register and a number where the notation has expressions; or None."""
    registers = ("PTR", "NEXT_ID", *(["prev"] if convention.name == "linked" else []))
    try:
        parsed = convention.parse(text)
        for expression in parsed.expressions:
            if convention.notation == "numeric":
                parse_number(expression)
                continue
            terms = parse_expression(expression)
            named = [term for term in terms if term.register]
            if len(terms) > 1 + len(named) or len(named) > 1 or any(each.sign < 0 for each in named):
                return "several registers"
            if any(each.register not in registers for each in named):
                return "no such register"
    except (ArithmeticFault, ProtocolFault, ValueError) as error:
        return str(error)
    return None
