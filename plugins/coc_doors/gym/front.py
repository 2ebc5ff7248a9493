"""What `coc.gym` is: the module of environments, of which `make` makes one."""

from coc_doors.gym import envs as gym

__all__ = ["gym"]
