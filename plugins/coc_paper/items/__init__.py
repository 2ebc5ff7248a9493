"""The items: a module for each table or figure of the paper."""
