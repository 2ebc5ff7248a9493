from .codec import (
    INTEGER as INTEGER,
    POSITIVE as POSITIVE,
    UNSTATED as UNSTATED,
    Codec as Codec,
    parse_decimal as parse_decimal,
    parse_number as parse_number,
)
from .display import (
    counted as counted,
    duration as duration,
    escaped as escaped,
    find_unprintable as find_unprintable,
    format_sizes as format_sizes,
    quoted as quoted,
    shortened as shortened,
)
from .exceptions import described as described, message_of as message_of, places as places
from .forms import Form as Form, Forms as Forms
from .lists import (
    ItemNumbers as ItemNumbers,
    check_permutation as check_permutation,
    item_codec as item_codec,
    list_codec as list_codec,
    list_of as list_of,
    list_pattern as list_pattern,
)
from .names import letters_in as letters_in, names_in as names_in, number_names as number_names, rename as rename
from .options import (
    Decimal as Decimal,
    Name as Name,
    Switch as Switch,
    Whole as Whole,
    Word as Word,
    assignments as assignments,
    read as read,
    setting as setting,
)
from .suggestions import nearest as nearest
from .template import Surface as Surface, Template as Template
