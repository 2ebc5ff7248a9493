"""Causal language models of the library transformers as networks: `coc train --network hf:…`.

`documents` says which configurations are allowed, `source` finds what `hf:` names, `architecture` makes networks of it,
`network` calls them, and `folder` writes and reads checkpoints that transformers opens, too.
"""

from coc_transformer.causal.architecture import CausalArchitecture, CausalConfig
from coc_transformer.causal.documents import without_form
from coc_transformer.causal.folder import as_folder, check_tokens, check_writes, load_causal
from coc_transformer.causal.source import PREFIX

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
