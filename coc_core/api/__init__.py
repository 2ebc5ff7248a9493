"""The front door: what `import coc_core as coc` offers, and what the command line calls."""

from coc_core.api.certificates.certify import certify
from coc_core.api.certificates.proofs import Refutation
from coc_core.api.certificates.prove import problems_to_certify, prove, setting_to_certify
from coc_core.api.evaluation import EvaluationReport, evaluate
from coc_core.api.hyperparameters import override_texts, read_config
from coc_core.api.job import Job, check_length, choose_problem, new_job, resumed_job
from coc_core.api.pairs import DEFAULT_HOLDOUT, DEFAULT_SIZES, DEFAULT_TESTS, dataset_spec, stream
from coc_core.api.parts import domains, load_model, open_pair_writer, open_pool, open_workers
from coc_core.api.plans.grammar import GRAMMAR, check_skips, grammar_file, load_plan, plan
from coc_core.api.plans.kept import check_plans, kept_plans
from coc_core.api.plans.pddl import PDDL, solve_pddl, translate_pddl
from coc_core.api.plans.plan_file import PLAN_FOLDER, plan_file, plan_folder, plan_lines
from coc_core.api.plans.validation import ValidationReport, validate, validated
from coc_core.api.problem_files import chosen_problems
from coc_core.api.problems import DEFAULT_INSTANCES, Problems
from coc_core.api.run import load_run, run
from coc_core.api.training import Training, train

__all__ = [
    "DEFAULT_HOLDOUT",
    "DEFAULT_INSTANCES",
    "DEFAULT_SIZES",
    "DEFAULT_TESTS",
    "GRAMMAR",
    "PDDL",
    "PLAN_FOLDER",
    "EvaluationReport",
    "Job",
    "Problems",
    "Refutation",
    "Training",
    "ValidationReport",
    "certify",
    "check_length",
    "check_plans",
    "check_skips",
    "choose_problem",
    "chosen_problems",
    "dataset_spec",
    "domains",
    "evaluate",
    "grammar_file",
    "kept_plans",
    "load_model",
    "load_plan",
    "load_run",
    "new_job",
    "open_pair_writer",
    "open_pool",
    "open_workers",
    "override_texts",
    "plan",
    "plan_file",
    "plan_folder",
    "plan_lines",
    "problems_to_certify",
    "prove",
    "read_config",
    "resumed_job",
    "run",
    "setting_to_certify",
    "solve_pddl",
    "stream",
    "train",
    "translate_pddl",
    "validate",
    "validated",
]
