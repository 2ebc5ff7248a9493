"""What `coc new` writes: a package with a small working plugin of one kind.

`kinds` lists the kinds of plugins, `names` checks and derives names, `package` renders the templates and writes them.
"""

from coc_check.scaffold.kinds import KINDS
from coc_check.scaffold.names import check_name, package_of
from coc_check.scaffold.package import check_empty, render, write

__all__ = [
    "KINDS",
    "check_empty",
    "check_name",
    "package_of",
    "render",
    "write",
]
