"""Causal language models of the library transformers as networks: `coc train --network hf:…`.

`source` finds what `hf:` names and says which configurations are allowed, `tokens` has their tokenizers, `architecture`
makes networks of them, and `folder` writes and reads checkpoints that transformers opens, too.
"""

from coc_transformer.causal.architecture import CausalArchitecture, CausalConfig
from coc_transformer.causal.folder import as_folder, check_tokens, check_writes, load_causal
from coc_transformer.causal.source import PREFIX, without_form

__all__ = [
    "PREFIX",
    "CausalArchitecture",
    "CausalConfig",
    "as_folder",
    "check_tokens",
    "check_writes",
    "load_causal",
    "without_form",
]
