"""Where work is done by many workers, processes on this machine."""
