"""The run file: every step of a run in one SQLite file, from which the run can be resumed, replayed and compared."""
