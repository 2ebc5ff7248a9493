"""Transformers without torch: the checkpoints of `coc_transformer`, run by numpy. Importing this imports neither."""

from coc_core.plugin import ModelSpec, hookimpl


@hookimpl
def coc_models() -> list[ModelSpec]:
    return [
        ModelSpec(
            "numpy",
            summary="runs transformers on the CPU, with numpy, unless another device is asked for",
            opens="transformer",
            cpu_only=True,
            opener="coc_transformer.entry:open_numpy",
            configured="coc_transformer.entry:open_with_numpy",
        )
    ]
