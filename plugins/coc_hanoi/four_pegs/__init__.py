"""Tower of Hanoi on four pegs."""
