"""Run files: durable recordings, their replay, comparison and resumption."""

from coc_core.runfile.database import check_new, merge_log, run_files
from coc_core.runfile.manifest import Manifest, ending
from coc_core.runfile.reader import RunFile
from coc_core.runfile.replay import Replay
from coc_core.runfile.resume import is_finished, prepare_resume
from coc_core.runfile.session import Session
from coc_core.runfile.writer import Recorder

__all__ = [
    "Manifest",
    "Recorder",
    "Replay",
    "RunFile",
    "Session",
    "check_new",
    "ending",
    "is_finished",
    "merge_log",
    "prepare_resume",
    "run_files",
]
