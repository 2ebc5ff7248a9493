"""Plans in files: written as a run goes on, and validated."""
