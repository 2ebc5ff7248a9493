"""A run as one page for a browser: what it shows (`film`), and the file that it becomes (`page`)."""
