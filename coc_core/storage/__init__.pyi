from .documents import (
    parse_json_object as parse_json_object,
    read_document as read_document,
    read_json as read_json,
    unique_keys as unique_keys,
)
from .files import (
    absolute as absolute,
    check_distinct as check_distinct,
    check_name as check_name,
    open_regular as open_regular,
    open_source as open_source,
    read_bytes as read_bytes,
    sync as sync,
)
from .scratch import (
    lock_byte as lock_byte,
    lock_file as lock_file,
    lock_folder as lock_folder,
    scratch_folder as scratch_folder,
    temporary_folder as temporary_folder,
)
from .sums import (
    SUMS as SUMS,
    Contents as Contents,
    check_sums as check_sums,
    sums_of as sums_of,
)
from .writing import (
    FreshFile as FreshFile,
    check_file as check_file,
    check_replaceable as check_replaceable,
    fresh_folder as fresh_folder,
    refusing as refusing,
    write_file as write_file,
    write_files as write_files,
    write_folder as write_folder,
)
