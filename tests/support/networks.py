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


def changed(name, base=Sums, after=None, **members):
    """A class that differs from another in these members, and in what its constructor does after the other's."""

    def __init__(self, *given):
        base.__init__(self, *given)
        after(self)

    return type(name, (base,), {"__module__": __name__, **({"__init__": __init__} if after else {}), **members})


def configured(name, frozen=True, **fields):
    """A network with a Config of such fields."""
    fields = {each: attrs.field(type=type(default), default=default) for each, default in fields.items()}
    return changed(name, Config=attrs.make_class("Config", fields, frozen=frozen))


def burst(*_):
    raise KeyError("burst")


class Odd(Sums):
    @attrs.frozen
    class Config:
        width: list[int] = attrs.Factory(list)


class Derived(Sums):
    @attrs.frozen
    class Config:
        width: int = 8
        double: int = attrs.field(init=False, default=16)


class Clairvoyant(Sums):
    def told(self, input_ids):
        return torch.tanh(self.inner(self.embedding(input_ids).flip(1).cumsum(1).flip(1)))


class Neighbourly(Sums):
    def told(self, input_ids):
        return super().told(input_ids) + self.embedding(input_ids).mean(0, keepdim=True)


class Breaking(Stepping):
    def step(self, input_ids, state):
        return super().step(input_ids, state) if state is None else burst()


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


class Normed(Sums):
    def __init__(self, config, vocab, max_len):
        super().__init__(config, vocab, max_len)
        self.batch = nn.BatchNorm1d(vocab)

    def forward(self, input_ids):
        return self.batch(super().forward(input_ids).transpose(1, 2)).transpose(1, 2)


class Elsewhere(Sums):
    def __init__(self, config, vocab, max_len):
        with torch.device("meta"):
            super().__init__(config, vocab, max_len)


def answering(name, change, **others):
    """A network whose logits are changed so; `change` gets it, too."""
    return changed(name, forward=lambda self, input_ids: change(self, Sums.forward(self, input_ids)), **others)


def layered(network):
    network.layers = nn.ModuleList(nn.Linear(1_000_000, 1_000_000) for _ in range(1_000_000))


def sparse(network):
    network.embedding = nn.Embedding(network.vocab, 8, sparse=True)


def masked(network):
    network.register_buffer("mask", torch.full((2,), -torch.inf))


def drawing(network):
    """What its constructor draws is saved nowhere."""
    network.register_buffer("drawn", torch.randn(network.vocab), persistent=False)


Clashing, Huge = configured("Clashing", steps=8), changed("Huge", after=layered)
FLAWED = {
    Plain: "must be a class of torch.nn.Module",
    Silent: "has no forward\\(input_ids\\)",
    changed("Unconfigured", Config=None): "has no Config, a frozen attrs class",
    configured("Loose", frozen=False, width=8): "no Config, a frozen attrs class",
    Odd: "Config.width must be an int, float, bool or str",
    Derived: "a saved Config has the unknown key 'double'",
    configured("Endless", rate=float("inf")): "a saved Config is not strict JSON",
    Clashing: "Config.steps is a hyperparameter of coc",
    changed("Broken", __init__=burst): "raised KeyError: 'burst'",
    changed("Bursting", forward=burst): "raised KeyError: 'burst'",
    answering("NotANumber", lambda _, logits: logits * torch.nan): "gives logits that are not finite",
    answering("Narrow", lambda _, logits: logits[..., 1:]): "not shape \\(3, 12, 127\\)",
    answering("Last", lambda _, logits: logits[:, -1]): "numbers of shape \\(3, 12, 128\\), not shape \\(3, 128\\)",
    Clairvoyant: "depend on later tokens",
    Neighbourly: "depend on the other rows of the batch",
    answering("Drawing", lambda _, logits: nn.functional.dropout(logits)): "gives other logits the second time",
    changed("Forgetful", Stepping, step=lambda self, ids, _: Stepping.step(self, ids, None)): "token by token",
    changed("Sparse", after=sparse): "raised ",
    answering("Unsaved", lambda self, logits: logits + self.drawn, after=drawing): "made anew",
    Breaking: "raised KeyError: 'burst'",
    Short: "raised IndexError: 20 positions",
    Single: "raised RuntimeError: expected",
    changed(
        "Frozen", after=lambda network: network.requires_grad_(False)
    ): "can't be trained: its logits have no gradients",
    changed("Gradless", forward=torch.no_grad()(Sums.forward)): "can't be trained",
    Normed: "saves batch.num_batches_tracked as torch.int64",
    changed("Masked", after=masked): "saves mask with numbers that are not finite",
    Elsewhere: "raised ",
    changed("Double", after=lambda network: network.double()): "as torch.float64",
    Huge: "has more than 1,000,000,000 parameters",
}
"""Each flaw, and what the refusal says of it."""
