"""The conformance kit: what every part of a plugin has to get right, as checks; a fuzzer; and skeletons of plugins.

The checks need no test runner: `checks(registry, name)` gives each of a part or of a whole plugin, and a check's `run`
raises `Nonconforming` with what is wrong. `coc check NAME` runs them, and pytest where `parametrize_with_checks` says.

What is named here is imported when it is used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
