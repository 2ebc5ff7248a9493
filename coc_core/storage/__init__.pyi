from .contents import Contents as Contents, sha256_of as sha256_of
from .distinct import check_distinct as check_distinct
from .files import (
    absolute as absolute,
    check_current_folder as check_current_folder,
    check_name as check_name,
    open_regular as open_regular,
    read_bytes as read_bytes,
    sync as sync,
)
from .folders import (
    check_replaceable as check_replaceable,
    fresh_folder as fresh_folder,
    write_files as write_files,
    write_folder as write_folder,
)
from .locks import lock_byte as lock_byte, lock_file as lock_file
from .scratch import lock_folder as lock_folder, scratch_folder as scratch_folder, temporary_folder as temporary_folder
from .source import open_source as open_source
from .strict_json import parse_json_object as parse_json_object, read_json as read_json
from .sums import SUMS as SUMS, check_sums as check_sums, sums_of as sums_of
from .table import check_table as check_table, table_contents as table_contents, write_table as write_table
from .writing import FreshFile as FreshFile, check_file as check_file, refusing as refusing, write_file as write_file
