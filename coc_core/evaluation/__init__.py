"""Evaluation: success rates, comparisons, exactness of single steps, what it predicts, address checks, benchmarks."""

from coc_core.evaluation.addresses import (
    AddressCheck,
    addresses_document,
    expressions,
    small_problems,
)
from coc_core.evaluation.batch.ended import Ended, Failure, Score
from coc_core.evaluation.batch.folder import open_plans
from coc_core.evaluation.comparison import Paired, paired, paired_document, together
from coc_core.evaluation.drawing import COLOURS, check_figure, drawn, figure_format, new_figure, write_figure
from coc_core.evaluation.exactness import Exactness, exactness_document
from coc_core.evaluation.figure import Curve, draw_curves
from coc_core.evaluation.interval import percent_range, wilson
from coc_core.evaluation.prediction import Prediction, predict
from coc_core.evaluation.shards import Choices, Workers
from coc_core.evaluation.success import Evaluation, score_document, success_document
from coc_core.evaluation.training_figure import draw_training, read_metrics

__all__ = [
    "COLOURS",
    "AddressCheck",
    "Choices",
    "Curve",
    "Ended",
    "Evaluation",
    "Exactness",
    "Failure",
    "Paired",
    "Prediction",
    "Score",
    "Workers",
    "addresses_document",
    "check_figure",
    "draw_curves",
    "draw_training",
    "drawn",
    "exactness_document",
    "expressions",
    "figure_format",
    "new_figure",
    "open_plans",
    "paired",
    "paired_document",
    "percent_range",
    "predict",
    "read_metrics",
    "score_document",
    "small_problems",
    "success_document",
    "together",
    "wilson",
    "write_figure",
]
