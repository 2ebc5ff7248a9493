from .addresses import (
    AddressCheck as AddressCheck,
    addresses_document as addresses_document,
    expressions as expressions,
    small_problems as small_problems,
)
from .batch.ended import Ended as Ended, Failure as Failure, Score as Score
from .batch.folder import open_plans as open_plans
from .comparison import Paired as Paired, paired as paired, paired_document as paired_document, together as together
from .drawing import (
    COLOURS as COLOURS,
    check_figure as check_figure,
    drawn as drawn,
    figure_format as figure_format,
    new_figure as new_figure,
    write_figure as write_figure,
)
from .exactness import Exactness as Exactness, exactness_document as exactness_document
from .figure import Curve as Curve, draw_curves as draw_curves
from .interval import percent_range as percent_range, wilson as wilson
from .prediction import Prediction as Prediction, predict as predict
from .shards import Choices as Choices, Workers as Workers
from .success import Evaluation as Evaluation, score_document as score_document, success_document as success_document
from .training_figure import draw_training as draw_training, read_metrics as read_metrics
