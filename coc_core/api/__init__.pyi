from .addition import OpensListener as OpensListener, RunAddition as RunAddition
from .job import (
    Job as Job,
    check_length as check_length,
    check_skips as check_skips,
    choose_problem as choose_problem,
    new_job as new_job,
    resumed_job as resumed_job,
)
from .parts import (
    Files as Files,
    domains as domains,
    load_model as load_model,
    open_registry as open_registry,
    warn as warn,
)
from .plans import plan_file as plan_file
from .runs import Run as Run, load_run as load_run, run as run
