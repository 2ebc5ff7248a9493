"""The conformance kit: what every domain has to get right, as one set of checks.

The checks need no test runner: `domain_checks(registry, name)` gives each as a name and a function that raises
`Nonconforming` with what is wrong. With pytest, parametrize over them.
"""

from coc_core.testing.check import Check, Nonconforming
from coc_core.testing.domain import domain_checks

__all__ = ["Check", "Nonconforming", "domain_checks"]
