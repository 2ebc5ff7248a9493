"""Planning domains on grids."""
