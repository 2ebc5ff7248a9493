"""What every model has to get right."""
