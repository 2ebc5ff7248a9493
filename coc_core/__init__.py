"""Chain of Computation: a small language model in a loop with an external memory executes an algorithm exactly.

`import coc_core as coc` is the front door:

    run = coc.run("hanoi", n=6)
    run.outcome, run.plan, run.trace
    run.save("six.run"); run.view("six.html")
    coc.plan("hanoi", n=64)[10**19]
    coc.evaluate("pancake", sizes=range(5, 41)).to_csv("pancake.csv")
    coc.train("hanoi", sizes=range(1, 21), out="my-checkpoint")
    coc.validate("hanoi", run.plan, n=6)
    coc.certify("hanoi", sizes=range(1, 5), out="hanoi.certificate")

Plugins offer some of these functions, and may offer more. Nothing is imported before it is used.
"""

import os
import sys

if sys.version_info < (3, 11):  # noqa: UP036, from a checkout, which pip did not check
    os.write(2, f"coc: error: coc needs Python 3.11 or newer, and this is {sys.version.split()[0]}\n".encode())
    sys.exit(2)

TYPE_CHECKING = False
"""As `typing` has it, without the time that the import of `typing` takes."""

if TYPE_CHECKING:
    from typing import Any

    from coc_core.api import domains as domains, load_model as load_model, load_run as load_run, run as run

    __version__: str

__all__ = ["__version__", "domains", "load_model", "load_run", "run"]


def __getattr__(name: str) -> "Any":
    if name == "__version__":
        from importlib.metadata import version

        return version("chain-of-computation")
    from importlib import import_module
    from importlib.util import find_spec

    if name in __all__:
        return getattr(import_module("coc_core.api"), name)
    if find_spec(f"coc_core.{name}"):
        return import_module(f"coc_core.{name}")
    if not name.startswith("_"):
        from coc_core.plugin import FunctionSpec, Registry

        registry = Registry.installed()
        if name in {spec.name for spec in registry.specs(FunctionSpec)}:
            found = globals()[name] = registry.function(registry.find(FunctionSpec, name))
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    from coc_core.plugin import FunctionSpec, Registry

    return sorted({*globals(), *__all__, *(spec.name for spec in Registry.installed().specs(FunctionSpec))})
