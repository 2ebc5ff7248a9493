"""The same checkpoints run by other libraries, one question at a time, to compare speeds and answers with."""
