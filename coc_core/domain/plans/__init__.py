"""Plans as files: how they are written and read, and whether one solves a problem."""
