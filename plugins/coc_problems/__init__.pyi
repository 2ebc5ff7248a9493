from .files import (
    GivenProblems as GivenProblems,
    Problems as Problems,
    chosen_problems as chosen_problems,
    note_on as note_on,
    texts_by_domain as texts_by_domain,
)
from .options import (
    DEFAULT_INSTANCES as DEFAULT_INSTANCES,
    INSTANCES as INSTANCES,
    MOST_SIZES as MOST_SIZES,
    SEEDS as SEEDS,
    SIZES as SIZES,
    ManyProblems as ManyProblems,
    Sizes as Sizes,
    parse_sizes as parse_sizes,
    sizes_of as sizes_of,
    whole as whole,
)
from .patterns import form_patterns as form_patterns
from .plan import (
    ReadsMoves as ReadsMoves,
    check_searchable as check_searchable,
    effects as effects,
    levels as levels,
    optimum as optimum,
    read_move as read_move,
    validate as validate,
)
from .prompts import (
    PromptList as PromptList,
    closure as closure,
    every_prompt as every_prompt,
    has_few_kinds as has_few_kinds,
    is_closed as is_closed,
    policy_actions as policy_actions,
    policy_steps as policy_steps,
)
from .sampling import (
    MOST_PROBLEMS as MOST_PROBLEMS,
    Instance as Instance,
    Split as Split,
    enumerate_all as enumerate_all,
    enumerate_first as enumerate_first,
    lists_single_problem as lists_single_problem,
    near_goal_problem as near_goal_problem,
    sample_near_goal as sample_near_goal,
    sample_problems as sample_problems,
)
from .table import check_table as check_table, write_table as write_table
