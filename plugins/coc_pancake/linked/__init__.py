"""The pancake puzzle with a record for each pancake, so that no prompt grows with the number of pancakes."""
