"""What the checkers of certificates share. It needs the standard library and numpy, and shares no code with coc."""
