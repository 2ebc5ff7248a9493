"""Planning tasks in PDDL: read, and their actions taken."""
