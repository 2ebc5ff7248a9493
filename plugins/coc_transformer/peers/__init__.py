"""The same checkpoints run by other libraries, one prompt at a time, to compare speeds and targets."""
