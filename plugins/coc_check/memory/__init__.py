"""What every memory, with its convention, has to get right."""
