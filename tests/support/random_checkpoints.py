"""Checkpoints with random weights: made in no time, and as good as trained ones where only the numbers matter."""

import torch
from attrs import evolve

from coc_core.models import Identity
from coc_transformer.files import ModelConfig, checkpoint, to_json, weights
from coc_transformer.model import Decoder
from coc_transformer.tokenizer import TextTokenizer
from coc_transformer.training.hyperparameters import PRESETS

TINY = {"d_model": 32, "layers": 2, "heads": 2, "d_ff": 48, "positions": "absolute", "token_shift": 0}
CARD = "# A model that nobody trained\n"


def random_decoder(pairs, tokens="exact", dialects=1, seed=2, **shape):
    """A decoder with random, large weights, which ends its targets at any length, or never; and its tokenizer."""
    tokenizer = TextTokenizer.train(pairs, 512, 2, tokens=tokens, dialects=dialects)
    sizes = {"d_model": 16, "layers": 2, "heads": 2, "d_ff": 32, "max_len": 24, "dropout": 0.0}
    sizes |= {"positions": "structural", "token_shift": 0}
    torch.manual_seed(seed)
    decoder = Decoder(ModelConfig(vocab=tokenizer.size, **{**sizes, **shape}), tokenizer.kinds())
    for parameter in decoder.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return decoder.requires_grad_(False).eval(), tokenizer


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
        weights.of_tensors(decoder.state_dict()),
        training,
        tokenizer,
    )
    checkpoint.save(folder, files, CARD)
    return folder
