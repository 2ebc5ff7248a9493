from .evaluate import (
    DEFAULT_INSTANCES as DEFAULT_INSTANCES,
    MEASUREMENT as MEASUREMENT,
    EvalOptions as EvalOptions,
    ManyProblems as ManyProblems,
    Sizes as Sizes,
    WorkerOptions as WorkerOptions,
)
from .fields import (
    ADVANCED as ADVANCED,
    MODEL as MODEL,
    OUTPUT as OUTPUT,
    PROBLEM as PROBLEM,
    Choice as Choice,
    Decimal as Decimal,
    File as File,
    Flag as Flag,
    Name as Name,
    Option as Option,
    Several as Several,
    Source as Source,
    Whole as Whole,
    given as given,
    option as option,
    option_of as option_of,
    options_of as options_of,
    takes as takes,
)
from .solve import (
    OneProblem as OneProblem,
    PathLike as PathLike,
    PluginOptions as PluginOptions,
    RunOptions as RunOptions,
    SettingOptions as SettingOptions,
    SolveOptions as SolveOptions,
    ValidateOptions as ValidateOptions,
)
from .train import (
    DEFAULT_HOLDOUT as DEFAULT_HOLDOUT,
    DEFAULT_SIZES as DEFAULT_SIZES,
    DrawnPairs as DrawnPairs,
    TrainOptions as TrainOptions,
)
