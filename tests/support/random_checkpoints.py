"""Checkpoints with random weights: made in no time, and as good as trained ones where only the numbers matter."""

import torch
from attrs import evolve

from coc_core.models import Identity
from coc_transformer.files import checkpoint, to_json
from coc_transformer.model import Decoder, tensor_contents
from coc_transformer.tokenizer import TextTokenizer
from coc_transformer.training.presets import PRESETS

TINY = {"d_model": 32, "layers": 2, "heads": 2, "d_ff": 48, "positions": "absolute", "token_shift": 0}
CARD = "# A model that nobody trained\n"


def untrained(folder, dialects, pairs, tokens="digits", preset="small", **changes):
    """Write a checkpoint that has never seen these pairs but can spell them; gives its folder."""
    tokenizer = TextTokenizer.train(pairs, 300, 2, tokens=tokens, dialects=len(dialects))
    config = evolve(PRESETS[preset].model, **{**TINY, "vocab": tokenizer.size, **changes})
    with torch.random.fork_rng():
        torch.manual_seed(0)
        decoder = Decoder(config, tokenizer.kinds())
        for parameter in decoder.parameters():  # all of them, so that none that is lost or zeroed goes unnoticed
            torch.nn.init.normal_(parameter, std=0.3)
    training = PRESETS[preset].stated()
    files = checkpoint.contents(
        Identity("transformer", tuple(dialects)),
        {"model": to_json(config)},
        tensor_contents(decoder.state_dict()),
        training,
        tokenizer,
    )
    checkpoint.save(folder, files, CARD)
    return folder
