"""Doors for others: environments of Gymnasium, the Hugging Face Hub, a server."""
