"""The engine `dask`: workers on this machine or on many. Importing this imports no dask."""

from coc_core.plugin import EngineSpec, hookimpl


@hookimpl
def coc_engines() -> list[EngineSpec]:
    return [
        EngineSpec(
            "dask",
            factory="coc_dask.executor:open_dask",
            summary="Dask workers, on this machine or at --engine-address",
        )
    ]
