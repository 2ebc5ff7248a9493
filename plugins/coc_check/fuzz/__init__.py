"""Fuzzing of executors: cases drawn by hypothesis, each tried against the plain reading of Algorithm 1.

`reproduce` tries one case again, and needs no hypothesis; `coc_check.fuzz.hunt` looks for cases.
"""

from coc_check.fuzz.case import Case, Cut
from coc_check.fuzz.trial import reproduce

__all__ = ["Case", "Cut", "reproduce"]
