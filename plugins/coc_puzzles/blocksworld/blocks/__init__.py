"""General BlocksWorld: any start, any goal, any names, and a hand that holds one block at a time."""
