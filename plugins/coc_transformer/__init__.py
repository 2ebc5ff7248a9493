"""A small decoder-only transformer as a model: the backend `transformer`. Importing this imports no torch."""

from coc_core.plugin import CheckpointSpec, ModelSpec, hookimpl


@hookimpl
def coc_models() -> list[ModelSpec]:
    return [
        ModelSpec(
            "transformer",
            summary="a small decoder-only transformer, decoded greedily",
            opener="coc_transformer.decoding.backend:open_checkpoint",
            trainer="coc_transformer.training.trainer:TransformerTrainer",
            interchange="coc_transformer.gpt2.interchange:Gpt2Interchange",
            peers=(
                ("transformers generate", "coc_transformer.peers:open_generated"),
                ("CTranslate2", "coc_transformer.peers:open_translated"),
            ),
        )
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
