from .base import WAITS as WAITS, Domain as Domain, with_result as with_result
from .capabilities import (
    TEXT_WIDTH as TEXT_WIDTH,
    HasAnswer as HasAnswer,
    HasSource as HasSource,
    KnowsUnsolvable as KnowsUnsolvable,
    ReadsText as ReadsText,
    doubt_about as doubt_about,
    scene_of as scene_of,
    why_unsolvable as why_unsolvable,
)
from .items import (
    ReadsItems as ReadsItems,
    TranslatedItem as TranslatedItem,
    metadata as metadata,
    translated as translated,
)
from .operators import Assignment as Assignment, HasOperators as HasOperators, Operator as Operator, compose as compose
from .plans import (
    JsonPlan as JsonPlan,
    LineFormat as LineFormat,
    PlanFormat as PlanFormat,
    PlanWriter as PlanWriter,
    TextPlan as TextPlan,
    has_entry as has_entry,
)
from .problems import (
    numbered_lines as numbered_lines,
    parse_problem as parse_problem,
    read_problem as read_problem,
    text_lines as text_lines,
    whole_file as whole_file,
)
from .scenes import Column as Column, HasScenes as HasScenes, Item as Item, Scene as Scene
from .stored import (
    StoresRecords as StoresRecords,
    number_new as number_new,
    record_named as record_named,
    split_record as split_record,
    with_changed as with_changed,
    without_record as without_record,
)
from .translation import Translation as Translation
