"""Where work is done by many workers: on this machine or, by Dask, on many. Importing this imports no dask."""

from coc_core.plugin import EngineSpec, hookimpl


@hookimpl
def coc_engines() -> list[EngineSpec]:
    return [
        EngineSpec("processes", factory="coc_workers.processes:open_processes", summary="processes on this machine"),
        EngineSpec(
            "dask", factory="coc_workers.dask:open_dask", summary="Dask workers, on this machine or at --engine-address"
        ),
    ]
