"""What every domain has to get right."""
