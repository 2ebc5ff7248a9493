"""What a model learns from: prompt-target pairs and datasets; trainings; measurements; and learned arithmetic.

Read `trainer` first, then `pairs`, `spec` and `dataset` in `datasets`; `sources` and `train`; `success`, `exactness`
and `evaluate` in `measure`; and last `addresses`.
"""

from coc_core.plugin import ArithmeticSpec, CommandSpec, FunctionSpec, hookimpl

_PANEL = "Train models"


@hookimpl
def coc_arithmetics() -> list[ArithmeticSpec]:
    return [
        ArithmeticSpec(
            "learned",
            factory="coc_learn.addresses.learned:Learned",
            summary="expressions, evaluated by a second model",
            dialect="arithmetic",
            reference="coc_learn.addresses.dialect:AddressReference",
        )
    ]


@hookimpl
def coc_commands() -> list[CommandSpec]:
    data, train, evaluation = "coc_learn.commands.data", "coc_learn.commands.train", "coc_learn.measure.commands.eval"
    return [
        CommandSpec("data", f"{data}:data", "Build, verify and export datasets of prompt-target pairs.", _PANEL),
        CommandSpec("data build", f"{data}:build", "Build a dataset of prompt-target pairs.", _PANEL),
        CommandSpec("data verify", f"{data}:verify", "Check every pair of a dataset.", _PANEL),
        CommandSpec("data export", f"{data}:export", "Export a dataset as JSON lines.", _PANEL),
        CommandSpec("train", f"{train}:train", "Train a model and measure its accuracy.", _PANEL),
        CommandSpec("eval", f"{evaluation}:evaluate", "Measure how many problems a model solves.", "Measure and prove"),
    ]


@hookimpl
def coc_functions() -> list[FunctionSpec]:
    return [
        FunctionSpec("train", function="coc_learn.train:train", summary="make a checkpoint"),
        FunctionSpec("evaluate", function="coc_learn.measure.evaluate:evaluate", summary="measure how many are solved"),
    ]
