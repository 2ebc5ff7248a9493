"""A recorded run on a terminal: the player, its keys, and what is said of a place."""
