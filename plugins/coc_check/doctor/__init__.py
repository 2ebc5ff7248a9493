"""What `coc doctor` finds out: which prompts a domain has, and what it takes to learn them."""
