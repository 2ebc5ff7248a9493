"""Causal language models of the library transformers as networks: `coc train --network hf:…`.

`source` says which configurations are allowed, `tokens` writes coc's tokenizer for the library, `architecture` makes
networks, and `folder` writes and reads checkpoints that transformers opens, too.
"""

from coc_transformer.causal.architecture import CausalArchitecture, CausalConfig
from coc_transformer.causal.folder import as_folder, check_tokens, load_causal
from coc_transformer.causal.source import PREFIX, without_form

__all__ = [
    "PREFIX",
    "CausalArchitecture",
    "CausalConfig",
    "as_folder",
    "check_tokens",
    "load_causal",
    "without_form",
]
