"""What tasks do: each function is called with a folder, the results that it builds on, and its task's arguments."""
