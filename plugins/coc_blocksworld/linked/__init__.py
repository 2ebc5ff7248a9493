"""The paper's two variants with a record for each block, so that no prompt grows with the number of blocks."""
