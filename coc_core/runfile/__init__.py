"""Run files: durable recordings, their replay, comparison and resumption."""

from coc_core.runfile.database import tidy
from coc_core.runfile.diff import Difference, difference
from coc_core.runfile.manifest import Manifest
from coc_core.runfile.reader import Recorded, RunFile
from coc_core.runfile.replay import Moment, Replay
from coc_core.runfile.resume import Stage, ended, rehearse, revised, set_stage, witness_of
from coc_core.runfile.writer import Recorder

__all__ = [
    "Difference",
    "Manifest",
    "Moment",
    "Recorded",
    "Recorder",
    "Replay",
    "RunFile",
    "Stage",
    "difference",
    "ended",
    "rehearse",
    "revised",
    "set_stage",
    "tidy",
    "witness_of",
]
