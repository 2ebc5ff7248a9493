"""Where work is done by many workers: processes on this machine, or Dask's on many. Importing this imports no dask."""
