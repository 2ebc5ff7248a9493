"""General BlocksWorld with a record for each block, so that no prompt grows with the number of blocks."""
