"""`coc eval`: many problems."""
