"""Plugins that are wrong on purpose: modules with faulty parts, and small modules, which are made from the texts below."""

import sys
from importlib.util import spec_from_loader

HOOK = "\n\nfrom coc_core.plugin import CheckpointSpec, DomainSpec, ModelSpec, hookimpl\n\n\n@hookimpl\n"
"""The beginning of a module, whose hook is in line 6."""


def domains(*specs):
    """A module with one hook."""
    return f"{HOOK}def coc_domains():\n    return [{', '.join(specs)}]\n"


LATE = """DomainSpec("no-module", "a_module_that_nobody_has:Domain", "its module is missing")
DomainSpec("no-attribute", "json:Domain", "its class is missing")
DomainSpec("no-colon", "json", "its factory is no factory")
DomainSpec("no-name", "", "its factory is empty")
DomainSpec("raises-late", "tests.broken.raises_at_import:Domain", "its module raises")
DomainSpec("exits-late", "tests.broken.exits_at_import:Domain", "its module exits")
DomainSpec("wants-more", "json:loads", "its factory wants an argument")"""
CHECKPOINTS = """\n\n@hookimpl\ndef coc_checkpoints():\n    return [
        CheckpointSpec("no-package", "a_module_that_nobody_has:weights", (), "its package is missing"),
        CheckpointSpec("no-folder", "json.decoder:weights", (), "its package is a module"),
    ]"""

MODULES = {
    "raises_at_import": '\n\nraise RuntimeError("the sky\\nis falling")',
    "exits_at_import": 'raise SystemExit("I quit")',
    "exits_silently": "raise SystemExit",
    "misses_import": "import a_module_that_nobody_has",
    "forgets_the_marker": "def coc_domains():\n    return []",
    "unknown_hook": f"{HOOK}def coc_domainz():\n    return []",
    "wrong_signature": f"{HOOK}def coc_domains(registry):\n    return []",
    "raises_in_hook": f"{HOOK}def coc_models():\n    return 1 / 0",
    "returns_one": f'{HOOK}def coc_domains():\n    return DomainSpec("lonely", "json:loads", "alone")',
    "returns_strings": domains('"hanoi"'),
    "returns_other_specs": domains('ModelSpec("stranger", "a model")'),
    "names_a_number": domains('DomainSpec(7, "json:loads", "seven")'),
    "names_a_class": domains('DomainSpec("lonely", dict, "alone")'),
    "forgets_a_comma": domains('DomainSpec("lonely", "json:loads", "alone", memories=("pda"))'),
    "forgets_a_pair": domains('DomainSpec("lonely", "json:loads", "alone", policies=(("heap",),))'),
    "takes_hanoi": domains('DomainSpec("hanoi", "tests.support.toy_parts:Queue", "not the tower of Hanoi")'),
    "twin_one": domains('DomainSpec("twin", "tests.support.toy_parts:Queue", "the first twin")'),
    "twin_two": domains('DomainSpec("twin", "tests.support.toy_parts:Queue", "the second twin")'),
    "factories_fail": domains(*LATE.splitlines()) + CHECKPOINTS,
}
"""The small modules. Most can't be loaded; of `factories_fail` no part can be made; others want names that are taken."""


class Made:
    """Finds and loads the small modules."""

    @staticmethod
    def find_spec(fullname, path=None, target=None):
        package, _, name = fullname.rpartition(".")
        return spec_from_loader(fullname, Made) if package == __name__ and name in MODULES else None

    @staticmethod
    def create_module(spec):
        return None

    @staticmethod
    def exec_module(module):
        name = module.__name__.rpartition(".")[2]
        exec(compile(MODULES[name], f"{__path__[0]}/{name}.py", "exec"), vars(module))


sys.meta_path.append(Made)
