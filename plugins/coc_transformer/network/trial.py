"""Whether a network does what training and decoding rely on, tried on random ids before anything is written."""

import copy

import torch
from torch import Tensor

from coc_core.errors import PluginError
from coc_transformer.network.own import OwnConfig, OwnNetwork, blamed

_ROWS, _LENGTH = 3, 12
_NOISE = 0.1  # that weights get, so that no layer hides what those before it do
_TOLERANCE = 1e-5  # relative to the largest logit


def check_network(config: OwnConfig) -> None:
    """Try a network on the CPU, in float64 but for a step of training; PluginError says what it does.

    Its logits must be finite numbers for each token of the vocabulary, the same each time, and depend on no later token
    and on no other row; reading token by token must give the same logits, and so must another network with the saved
    tensors; the loss must have gradients, and training may change nothing but the parameters.
    """
    name = config.architecture.name
    with torch.random.fork_rng(devices=[]), blamed(name):
        torch.manual_seed(0)
        network = config.network()
        ids = torch.randint(config.vocab, (_ROWS, min(_LENGTH, config.max_len)))
        _check_training(name, network, ids)
        _check_logits(name, network.eval(), ids)
        _check_saved(name, network, ids)
        with torch.inference_mode():
            network(torch.zeros(1, config.max_len, dtype=torch.long))


def _check_training(name: str, network: OwnNetwork, ids: Tensor) -> None:
    """Try one step's gradients, in float32."""
    for each, tensor in network.saved().items():
        if not tensor.is_floating_point() or tensor.dtype == torch.float64:
            raise _failed(name, f"saves {each} as {tensor.dtype}", "make it float32, or a buffer with persistent=False")
        if not tensor.isfinite().all():
            remedy = "make it a buffer with persistent=False"
            raise _failed(name, f"saves {each} with numbers that are not finite", remedy)
    buffers = {each: buffer.clone() for each, buffer in network.named_buffers()}
    logits = network.train()(ids)
    if not logits.isfinite().all():
        raise _failed(name, "gives logits that are not finite")
    if not logits.requires_grad:
        raise _failed(name, "can't be trained: its logits have no gradients")
    logits.logsumexp(-1).mean().backward()
    torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0, foreach=True)
    for each, buffer in network.named_buffers():
        if not torch.equal(buffer, buffers[each]):
            raise _failed(name, f"changes the buffer {each} while it is trained", "snapshots have parameters only")
    network.zero_grad()


@torch.no_grad()
def _check_saved(name: str, network: OwnNetwork, ids: Tensor) -> None:
    """Try whether the saved tensors are all that another network of this kind needs."""
    other, expected = network.config.network().eval(), network(ids)
    for each, tensor in other.saved().items():
        tensor.copy_(network.saved()[each])
    if not torch.equal(other(ids), expected):
        what = "gives other logits when it is made anew with the tensors that it saves"
        raise _failed(name, what, "make all that it draws a parameter or a buffer")


@torch.inference_mode()
def _check_logits(name: str, trained: OwnNetwork, ids: Tensor) -> None:
    """Try what logits depend on, in float64, with weights that are not the first ones."""
    network = copy.deepcopy(trained).double()
    for parameter in network.parameters():
        parameter.add_(torch.randn_like(parameter), alpha=_NOISE)
    logits = network(ids)
    if logits.dtype != torch.float64:
        raise _failed(name, f"gives logits in {logits.dtype} where its weights are float64")
    if not logits.isfinite().all():  # such weights never occur, say
        network = copy.deepcopy(trained).double()
        logits = network(ids)
    most, length = _TOLERANCE * (1 + float(logits.abs().max())), ids.shape[1]

    def same(found: Tensor, expected: Tensor, what: str) -> None:
        if not (found - expected).abs().max() <= most:
            raise _failed(name, what)

    same(network(ids), logits, "gives other logits the second time, although it is not training")
    for end in {1, length // 2, length - 1} - {0, length}:
        same(network(ids[:, :end]), logits[:, :end], "gives logits that depend on later tokens (it must be causal)")
    same(network(ids[1:2]), logits[1:2], "gives logits that depend on the other rows of the batch")
    same(network(ids.flip(0)), logits.flip(0), "gives logits that depend on the other rows of the batch")
    half, what = length // 2, "gives other logits token by token (step) than at once (forward)"
    begun = [ids[0, :half].tolist(), ids[1, : half - 1].tolist(), ids[2, :half].tolist()]
    reader = network.begin(begun)
    same(torch.from_numpy(reader.read(begun)), logits[[0, 1, 2], [half - 1, half - 2, half - 1]], what)
    found = reader.read(ids[[0, 1, 2], [half, half - 1, half]][:, None].tolist())
    same(torch.from_numpy(found), logits[[0, 1, 2], [half, half - 1, half]], what)
    reader.keep([2, 1])
    found = reader.read(ids[[2, 1], [half + 1, half]][:, None].tolist())
    same(torch.from_numpy(found), logits[[2, 1], [half + 1, half]], what)


def _failed(name: str, what: str, remedy: str = "") -> PluginError:
    return PluginError(f"the network {name} {what}", remedy=remedy)
