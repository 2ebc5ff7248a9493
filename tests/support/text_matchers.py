"""What llguidance makes of a grammar, over tokens that are bytes."""

import llguidance

END = 256


class _Bytes:
    eos_token_id, bos_token_id, special_token_ids = END, None, (END,)
    tokens = (*(bytes([byte]) for byte in range(END)), b"<end>")

    def __call__(self, text):
        return list(text if isinstance(text, bytes) else text.encode())


TOKENIZER = llguidance.LLTokenizer(llguidance.TokenizerWrapper(_Bytes()), n_vocab=END + 1)
TOKENS = _Bytes.tokens


def matcher(kind, grammar):
    """A matcher of a grammar in a notation that llguidance reads."""
    found = llguidance.LLMatcher(TOKENIZER, llguidance.grammar_from(kind, grammar), log_level=0)
    assert not found.is_error(), found.get_error()
    return found
