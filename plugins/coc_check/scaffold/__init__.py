"""What `coc new` writes: a package with a small working plugin of one kind."""

from coc_check.scaffold.package import KINDS, check_empty, check_name, package_of, render, write

__all__ = ["KINDS", "check_empty", "check_name", "package_of", "render", "write"]
