"""Storage: files, folders, strict JSON and tables."""

from coc_core.storage.distinct import check_distinct
from coc_core.storage.documents import parse_json_object, read_document, read_json
from coc_core.storage.files import absolute, check_current_folder, check_name, open_regular, read_bytes, sync
from coc_core.storage.scratch import lock_byte, lock_file, lock_folder, scratch_folder, temporary_folder
from coc_core.storage.source import open_source
from coc_core.storage.sums import SUMS, Contents, check_sums, sha256_of, sums_of
from coc_core.storage.table import check_table, table_contents, write_table
from coc_core.storage.writing import (
    FreshFile,
    check_file,
    check_replaceable,
    fresh_folder,
    refusing,
    write_file,
    write_files,
    write_folder,
)

__all__ = [
    "SUMS",
    "Contents",
    "FreshFile",
    "absolute",
    "check_current_folder",
    "check_distinct",
    "check_file",
    "check_name",
    "check_replaceable",
    "check_sums",
    "check_table",
    "fresh_folder",
    "lock_byte",
    "lock_file",
    "lock_folder",
    "open_regular",
    "open_source",
    "parse_json_object",
    "read_bytes",
    "read_document",
    "read_json",
    "refusing",
    "scratch_folder",
    "sha256_of",
    "sums_of",
    "sync",
    "table_contents",
    "temporary_folder",
    "write_file",
    "write_files",
    "write_folder",
    "write_table",
]
