"""A small decoder-only transformer as a model: the backend `transformer`. Importing this imports no torch.

Read `model` first, the network on a page, then `training.loop`. `tokenizer` and `sequences` are before both: ids, and
what positions count. `model.reader` and `numpy.backend` read token by token, and `continuation` makes targets of that,
with drafts; `files` saves and loads checkpoints and unfinished trainings, `rounding` has the bounds of certificates.
`network` has the door for other networks, classes of the user's.
"""

from coc_core.plugin import CheckpointSpec, ModelSpec, hookimpl


@hookimpl
def coc_models() -> list[ModelSpec]:
    return [
        ModelSpec(
            "transformer",
            summary="a small decoder-only transformer, decoded greedily",
            trainer="coc_transformer.entry:trainer",
        ),
        ModelSpec(
            "torch",
            summary="runs transformers on any device, with torch; torch:NAME chooses it",
            opens="transformer",
            opener="coc_transformer.entry:open_checkpoint",
            configured="coc_transformer.entry:open_with_torch",
        ),
        ModelSpec(
            "network",
            summary="a network of your own, from coc train --network; network:FILE.py:CLASS@FOLDER chooses it",
            opener="coc_transformer.entry:open_network",
            configured="coc_transformer.entry:open_named",
        ),
    ]


@hookimpl
def coc_checkpoints() -> list[CheckpointSpec]:
    return [
        CheckpointSpec(
            "arithmetic",
            folder="coc_transformer:checkpoints/arithmetic",
            dialects=("arithmetic",),
            summary="works out addresses of up to 19 digits for a planning model, for any domain",
        )
    ]
