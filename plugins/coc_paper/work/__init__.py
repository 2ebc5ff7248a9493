"""What tasks do, a function for each kind. Tasks name them by module, so nothing is imported before its turn."""
