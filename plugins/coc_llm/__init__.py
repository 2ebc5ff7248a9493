"""Language models of any kind: behind an OpenAI-compatible endpoint, or in a folder.

Importing this imports neither a client nor torch.
"""

from coc_core.plugin import CommandSpec, ExecutorSpec, ModelSpec, hookimpl


@hookimpl
def coc_models() -> list[ModelSpec]:
    return [
        ModelSpec(
            "openai",
            configured="coc_llm.model:open_model",
            summary="any model behind an OpenAI-compatible endpoint, as openai:NAME",
        ),
        ModelSpec(
            "hf",
            configured="coc_llm.folder:open_model",
            summary="any causal language model that transformers opens, as hf:FOLDER",
        ),
    ]


@hookimpl
def coc_executors() -> list[ExecutorSpec]:
    return [
        ExecutorSpec(
            "vote",
            factory="coc_llm.vote:Vote",
            configured="coc_llm.vote:configured",
            described="coc_llm.vote:describe",
            summary="a vote of several responses at each step, until one leads by k",
        )
    ]


@hookimpl
def coc_commands() -> list[CommandSpec]:
    return [
        CommandSpec("prompt", "coc_llm.command:prompt", "Show what a model is sent at a step.", "Connect models"),
    ]
