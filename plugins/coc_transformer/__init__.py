"""A small decoder-only transformer as a model: the backend `transformer`. Importing this imports no torch."""

from coc_core.hookspecs import ModelSpec, hookimpl


@hookimpl
def coc_models() -> list[ModelSpec]:
    return [
        ModelSpec(
            "transformer",
            summary="a small decoder-only transformer, decoded greedily",
            opener="coc_transformer.backend:open_checkpoint",
            trainer="coc_transformer.trainer:TransformerTrainer",
            interchange="coc_transformer.gpt2.interchange:Gpt2Interchange",
        )
    ]
