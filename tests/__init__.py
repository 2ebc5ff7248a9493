"""The tests, in the tree of what they test; `support` has what several of them share."""
