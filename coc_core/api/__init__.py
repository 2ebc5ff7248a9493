"""The front door: what `import coc_core as coc` offers, and what the command line calls."""

from coc_core.api.evaluation import EvaluationReport, evaluate
from coc_core.api.hyperparameters import override_texts
from coc_core.api.job import Job, check_skips, choose_problem, new_job, resumed_job
from coc_core.api.pairs import dataset_spec, stream
from coc_core.api.parts import domains, load_model, open_pair_writer, open_pool, open_registry, open_workers
from coc_core.api.plans.kept import check_plans, kept_plans
from coc_core.api.plans.plan_file import PLAN_FOLDER, plan_file, plan_folder, plan_lines
from coc_core.api.plans.validation import ValidationReport, validate, validated
from coc_core.api.problem_files import chosen_problems, translate_pddl
from coc_core.api.problems import Problems
from coc_core.api.run import Run, load_run, run
from coc_core.api.training import Training, train
from coc_core.api.values import Files, warn, whole

__all__ = [
    "PLAN_FOLDER",
    "EvaluationReport",
    "Files",
    "Job",
    "Problems",
    "Run",
    "Training",
    "ValidationReport",
    "check_plans",
    "check_skips",
    "choose_problem",
    "chosen_problems",
    "dataset_spec",
    "domains",
    "evaluate",
    "kept_plans",
    "load_model",
    "load_run",
    "new_job",
    "open_pair_writer",
    "open_pool",
    "open_registry",
    "open_workers",
    "override_texts",
    "plan_file",
    "plan_folder",
    "plan_lines",
    "resumed_job",
    "run",
    "stream",
    "train",
    "translate_pddl",
    "validate",
    "validated",
    "warn",
    "whole",
]
