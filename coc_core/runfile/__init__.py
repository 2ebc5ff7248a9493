"""Run files: durable recordings, their replay, comparison and resumption."""

from coc_core.runfile.database import tidy
from coc_core.runfile.diff import Difference, difference
from coc_core.runfile.manifest import Manifest
from coc_core.runfile.reader import RunFile
from coc_core.runfile.replay import Replay
from coc_core.runfile.resume import Stage, ended, revised, set_stage
from coc_core.runfile.session import Session
from coc_core.runfile.writer import Recorder

__all__ = [
    "Difference",
    "Manifest",
    "Recorder",
    "Replay",
    "RunFile",
    "Session",
    "Stage",
    "difference",
    "ended",
    "revised",
    "set_stage",
    "tidy",
]
