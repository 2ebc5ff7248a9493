"""Evaluation: success rates, exactness of single steps, address checks and benchmarks."""

from coc_core.evaluation.addresses import AddressCheck, addresses_document, expressions, small_problems
from coc_core.evaluation.benchmark import BASE, Load, Rate, rates
from coc_core.evaluation.exactness import Exactness, Prediction, exactness_document, predict
from coc_core.evaluation.success import Evaluation, Failure, success_document, wilson

__all__ = [
    "BASE",
    "AddressCheck",
    "Evaluation",
    "Exactness",
    "Failure",
    "Load",
    "Prediction",
    "Rate",
    "addresses_document",
    "exactness_document",
    "expressions",
    "predict",
    "rates",
    "small_problems",
    "success_document",
    "wilson",
]
