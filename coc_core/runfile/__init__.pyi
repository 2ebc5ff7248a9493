from .database import merge_log as merge_log, run_files as run_files
from .manifest import Manifest as Manifest
from .reader import RunFile as RunFile
from .replay import Replay as Replay
from .resume import is_finished as is_finished, prepare_resume as prepare_resume
from .session import Session as Session
