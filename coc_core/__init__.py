"""Chain of Computation: a language model inside a loop with an external memory."""
