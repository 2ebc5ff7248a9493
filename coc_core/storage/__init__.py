"""Storage: files, folders and strict JSON."""

from coc_core.storage.files import read_bytes, sync
from coc_core.storage.folders import check_replaceable, fresh_folder, write_folder
from coc_core.storage.strict_json import parse_json_object, read_json

__all__ = [
    "check_replaceable",
    "fresh_folder",
    "parse_json_object",
    "read_bytes",
    "read_json",
    "sync",
    "write_folder",
]
