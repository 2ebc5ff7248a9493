"""What a worker of a cluster on this machine does first: Ctrl-C, which a terminal sends to all, is its parent's affair.

Dask runs `dask_setup` in each worker (`preload`).
"""

import signal


def dask_setup(_worker: object) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
