"""Pages on which a checkpoint runs: the network and the memories in plain JavaScript."""
