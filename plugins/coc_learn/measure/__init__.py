"""How well a model does: success rates over many problems, exactness over prompts, and address arithmetic."""
