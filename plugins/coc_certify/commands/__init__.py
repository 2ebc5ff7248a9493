"""`coc certify` and `coc plan`."""
