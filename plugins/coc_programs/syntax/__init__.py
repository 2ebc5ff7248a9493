"""The source of procedures, as lists of operations."""
