"""What several tests share: each module says in its first line what it has."""
