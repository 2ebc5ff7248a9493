"""The front door: what `import coc_core as coc` offers, and what the command line calls."""

from coc_core.api.evaluation import EvaluationReport, evaluate
from coc_core.api.hyperparameters import read_config
from coc_core.api.job import Job, check_length, choose_problem, new_job, resumed_job
from coc_core.api.pairs import DEFAULT_HOLDOUT, DEFAULT_SIZES, DEFAULT_TESTS, dataset_spec, stream
from coc_core.api.parts import domains, load_model, open_pair_writer, open_pool, open_workers
from coc_core.api.plan_file import PlanFormat, plan_file
from coc_core.api.plans.grammar import check_skips, grammar_file, load_plan, plan
from coc_core.api.problems import DEFAULT_INSTANCES, Problems
from coc_core.api.run import load_run, run
from coc_core.api.training import Training, train

__all__ = [
    "DEFAULT_HOLDOUT",
    "DEFAULT_INSTANCES",
    "DEFAULT_SIZES",
    "DEFAULT_TESTS",
    "EvaluationReport",
    "Job",
    "PlanFormat",
    "Problems",
    "Training",
    "check_length",
    "check_skips",
    "choose_problem",
    "dataset_spec",
    "domains",
    "evaluate",
    "grammar_file",
    "load_model",
    "load_plan",
    "load_run",
    "new_job",
    "open_pair_writer",
    "open_pool",
    "open_workers",
    "plan",
    "plan_file",
    "read_config",
    "resumed_job",
    "run",
    "stream",
    "train",
]
