"""Networks: what coc trains and decodes with, and how to bring your own.

Your network is a class of `torch.nn.Module` that `--network MODULE:CLASS` or `FILE.py:CLASS` names:

    @attrs.frozen
    class Config:
        width: int = 64

    class Gru(nn.Module):
        Config = Config

        def __init__(self, config, vocab, max_len): ...
        def forward(self, input_ids): ...           # (batch, seq) of int64 -> (batch, seq, vocab)

- `Config` is a frozen attrs class. Each field is an int, float, bool or str: a hyperparameter, which `--set` changes.
- The constructor gets a `Config`, the size of the vocabulary and the length of the context, and draws the weights from
  torch's global generator, in float32. Tensors that it makes follow torch's default device.
- `forward(input_ids)` gives the logits of each next token. It is causal (no later token changes earlier logits), knows
  no other row of the batch, and computes in the number format and on the device of its weights, also in float64.
- `project(hidden)`, optional: then `forward` gives hidden states, (batch, seq, width), and `project` makes logits of
  any of them, (..., width) -> (..., vocab). coc computes logits only where a token is predicted.
- `step(input_ids, state)`, optional: reads the next tokens of each sequence, (batch, new), and gives what `forward`
  gives for these, and the new state. The state is None at first; later it is a tensor, or tuples, lists or dictionaries
  of such, whose first dimension is the batch. Without `step`, coc runs `forward` again for each token.

All else is coc's: tokens, batches, the loss, optimisers, the average of the weights, snapshots, exactness, cards.
A checkpoint names its network, and coc imports nothing for that: the user loads the network's file, as any
command does with `--plugin FILE.py`; or chooses both, with `--model network:MODULE:CLASS@FOLDER`. An installed plugin
can make its network a backend, with `network_opener` and `network_trainer` of `coc_transformer.entry`.

Inside, `Network` is what training and decoding call, and `OwnArchitecture` what `--network` chooses, before the size
of the vocabulary is known; `Decoder` is a Network, and `OwnNetwork` is one around your class.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
