"""Networks that follow the protocol of `coc_transformer.network`, and networks that break it, each in one way."""

import attrs
import torch
from torch import nn


@attrs.frozen
class Config:
    width: int = 8
    rate: float = 0.5
    deep: bool = False
    kind: str = "sum"


class Sums(nn.Module):
    """The sum of the embeddings so far: (batch, seq) -> (batch, seq, vocab)."""

    Config = Config

    def __init__(self, config, vocab, max_len):
        super().__init__()
        self.vocab, self.embedding = vocab, nn.Embedding(vocab, config.width)
        self.inner, self.out = nn.Linear(config.width, config.width), nn.Linear(config.width, vocab)

    def told(self, input_ids):
        return torch.tanh(self.inner(self.embedding(input_ids).cumsum(1)))

    def forward(self, input_ids):
        return self.out(self.told(input_ids))


class Stepping(Sums):
    """The same with a state, and with logits made where they are needed."""

    def __init__(self, config, vocab, max_len):
        super().__init__(config, vocab, max_len)
        self.project = self.out

    def forward(self, input_ids):
        return self.told(input_ids)

    def step(self, input_ids, state):
        sums = self.embedding(input_ids).cumsum(1)
        if state is not None:
            sums = sums + state["sum"][:, None]
        return torch.tanh(self.inner(sums)), {"sum": sums[:, -1], "read": (None, input_ids[:, -1:])}


class Computing(Sums):
    """Its constructor reads numbers of tensors."""

    def __init__(self, config, vocab, max_len):
        super().__init__(config, vocab, max_len)
        self.rates = [rate.item() for rate in torch.linspace(0, 0.1, 3)]
        self.inner = nn.utils.parametrizations.orthogonal(self.inner)


class Plain:
    Config = Config


class Silent(nn.Module):
    Config = Config


class Unconfigured(Sums):
    Config = None


class Loose(Sums):
    @attrs.define
    class Config:
        width: int = 8


class Odd(Sums):
    @attrs.frozen
    class Config:
        width: list[int] = attrs.Factory(list)


class Derived(Sums):
    @attrs.frozen
    class Config:
        width: int = 8
        double: int = attrs.field(init=False, default=16)


class Endless(Sums):
    @attrs.frozen
    class Config:
        rate: float = float("inf")


class Clashing(Sums):
    @attrs.frozen
    class Config:
        steps: int = 8


class Broken(Sums):
    def __init__(self, config, vocab, max_len):
        raise KeyError("burst")


class Bursting(Sums):
    def forward(self, input_ids):
        raise KeyError("burst")


class NotANumber(Sums):
    def forward(self, input_ids):
        return super().forward(input_ids) * float("nan")


class Narrow(Sums):
    def forward(self, input_ids):
        return super().forward(input_ids)[..., 1:]


class Last(Sums):
    def forward(self, input_ids):
        return super().forward(input_ids)[:, -1]


class Clairvoyant(Sums):
    def told(self, input_ids):
        return torch.tanh(self.inner(self.embedding(input_ids).flip(1).cumsum(1).flip(1)))


class Neighbourly(Sums):
    def told(self, input_ids):
        return super().told(input_ids) + self.embedding(input_ids).mean(0, keepdim=True)


class Drawing(Sums):
    def forward(self, input_ids):
        return nn.functional.dropout(super().forward(input_ids), 0.5, training=True)


class Forgetful(Stepping):
    def step(self, input_ids, state):
        return super().step(input_ids, None)


class Breaking(Stepping):
    def step(self, input_ids, state):
        if state is not None:
            raise KeyError("burst")
        return super().step(input_ids, state)


class Sparse(Sums):
    def __init__(self, config, vocab, max_len):
        super().__init__(config, vocab, max_len)
        self.embedding = nn.Embedding(vocab, config.width, sparse=True)


class Unsaved(Sums):
    """What its constructor draws is saved nowhere."""

    def __init__(self, config, vocab, max_len):
        super().__init__(config, vocab, max_len)
        self.register_buffer("drawn", torch.randn(vocab), persistent=False)

    def forward(self, input_ids):
        return super().forward(input_ids) + self.drawn


class Short(Sums):
    def forward(self, input_ids):
        if input_ids.shape[1] > 20:
            raise IndexError("20 positions")
        return super().forward(input_ids)


class Single(Sums):
    def told(self, input_ids):
        return super().told(input_ids) * torch.ones(8)[: self.inner.weight.shape[0]].float() + torch.zeros(8).float()

    def forward(self, input_ids):
        return torch.nn.functional.linear(self.told(input_ids), torch.ones(self.vocab, 8))


class Frozen(Sums):
    def __init__(self, config, vocab, max_len):
        super().__init__(config, vocab, max_len)
        self.requires_grad_(False)


class Gradless(Sums):
    @torch.no_grad()
    def forward(self, input_ids):
        return super().forward(input_ids)


class Normed(Sums):
    def __init__(self, config, vocab, max_len):
        super().__init__(config, vocab, max_len)
        self.batch = nn.BatchNorm1d(vocab)

    def forward(self, input_ids):
        return self.batch(super().forward(input_ids).transpose(1, 2)).transpose(1, 2)


class Masked(Sums):
    def __init__(self, config, vocab, max_len):
        super().__init__(config, vocab, max_len)
        self.register_buffer("mask", torch.full((2,), -torch.inf))


class Elsewhere(Sums):
    def __init__(self, config, vocab, max_len):
        with torch.device("meta"):
            super().__init__(config, vocab, max_len)


class Double(Sums):
    def __init__(self, config, vocab, max_len):
        super().__init__(config, vocab, max_len)
        self.double()


class Huge(Sums):
    def __init__(self, config, vocab, max_len):
        super().__init__(config, vocab, max_len)
        self.layers = nn.ModuleList(nn.Linear(1_000_000, 1_000_000) for _ in range(1_000_000))


FLAWED = {
    Plain: "must be a class of torch.nn.Module",
    Silent: "has no forward\\(input_ids\\)",
    Unconfigured: "has no Config, a frozen attrs class",
    Loose: "Config must be frozen",
    Odd: "Config.width must be an int, float, bool or str",
    Derived: "a saved Config has the unknown key 'double'",
    Endless: "a saved Config is not strict JSON",
    Clashing: "Config.steps is a hyperparameter of coc",
    Broken: "raised KeyError: 'burst'",
    Bursting: "raised KeyError: 'burst'; it can't be trained",
    NotANumber: "gives logits that are not finite",
    Narrow: "forward must give numbers of shape \\(3, 12, 128\\), not shape \\(3, 12, 127\\)",
    Last: "forward must give numbers of shape \\(3, 12, 128\\), not shape \\(3, 128\\)",
    Clairvoyant: "depend on later tokens",
    Neighbourly: "depend on the other rows of the batch",
    Drawing: "gives other logits the second time",
    Forgetful: "token by token \\(step\\) than at once",
    Sparse: "has sparse gradients",
    Unsaved: "made anew with the tensors that it saves",
    Breaking: "raised KeyError: 'burst'; it can't read token by token",
    Short: "raised IndexError: 20 positions; it can't read 96 tokens",
    Single: "can't compute in float64",
    Frozen: "has no parameters to train",
    Gradless: "can't be trained",
    Normed: "saves batch.num_batches_tracked as torch.int64",
    Masked: "saves mask with numbers that are not finite",
    Elsewhere: "makes embedding.weight on the device meta",
    Double: "as torch.float64",
    Huge: "has more than 1,000,000,000 parameters",
}
"""Each flaw, and what the refusal says of it."""
