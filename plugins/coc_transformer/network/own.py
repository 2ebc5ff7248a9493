"""A network of the user's: a class with a `Config`, which a text may name, and what coc makes of it."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import cached_property
from hashlib import sha256
from importlib.metadata import EntryPoint
from inspect import getsourcefile
from itertools import accumulate
from json import dumps
from math import isqrt
from pathlib import Path
from typing import Any, get_type_hints

import attrs
import torch
from attrs import field, frozen
from torch import Tensor, nn
from torch.nn.modules.module import (
    register_module_buffer_registration_hook,
    register_module_parameter_registration_hook,
)
from torch.overrides import TorchFunctionMode

from coc_core.errors import ArtefactError, CocError, PluginError, UsageError
from coc_core.models import CONFIG
from coc_core.plugin import FileLoader, Plugin, Registry, load, suggest
from coc_core.storage import parse_json_object, read_bytes, read_document
from coc_core.text import described, message_of, quoted
from coc_transformer.files import MOST_PARAMETERS, checkpoint, within
from coc_transformer.network.base import Network, Stepping, inner_matrices
from coc_transformer.tokenizer import MOST_TOKENS, TextTokenizer


class Undrawn(TorchFunctionMode):
    """While this is entered, tensors keep what they have: torch would import its compiler to draw what isn't there."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Call a function of torch, unless it changes a tensor in place."""
        name = getattr(func, "__name__", "")
        if name.endswith("_") and not name.endswith("__") and args and isinstance(args[0], Tensor):
            return args[0]
        return func(*args, **(kwargs or {}))


def counted_parameters(make: Callable[[], nn.Module], most: int, *, name: str, drawn: bool = False) -> int:
    """Return the parameters of what is made, without memory unless their numbers are `drawn`, too. UsageError, which
    says the network's `name`, as soon as there are more than `most`, buffers included; else errors are those of `make`.
    """
    total = 0

    def count(_module: nn.Module, _name: str, tensor: Tensor | None) -> None:
        nonlocal total
        total += 0 if tensor is None else max(tensor.numel(), 1)
        if total > most:
            reason = f"the network {name} has more than {most:,} parameters"
            raise UsageError(reason, remedy="choose smaller hyperparameters")

    undrawn: Any = nullcontext() if drawn else Undrawn()
    hooks = [register_module_parameter_registration_hook(count), register_module_buffer_registration_hook(count)]
    try:
        with torch.random.fork_rng(devices=[]), torch.device("cpu" if drawn else "meta"), undrawn:
            return sum(parameter.numel() for parameter in make().parameters())
    finally:
        for hook in hooks:
            hook.remove()


_KINDS = (int, float, bool, str)
_LARGEST_SOURCE = 1 << 24  # bytes


@frozen
class OwnArchitecture:
    """A network that was chosen, before its hyperparameters and the size of the vocabulary are known: `kind`, a class
    that follows the protocol of `coc_transformer.network`. `name` is what cards, records and `config.json` call it;
    `sha256` that of its code, empty if unknown.
    """

    name: str
    sha256: str
    kind: type[Any]

    @classmethod
    def of(cls, kind: Any) -> "OwnArchitecture":
        """Return the choice of a class; PluginError if it doesn't follow the protocol."""
        if not isinstance(kind, type) or not issubclass(kind, nn.Module):
            raise PluginError(f"{kind!r:.80} is not a network: it must be a class of torch.nn.Module")
        name = name_of(kind)
        if kind.forward is nn.Module.forward:
            raise PluginError(f"the network {name} has no forward(input_ids), which gives logits")
        config = getattr(kind, "Config", None)
        if not (isinstance(config, type) and attrs.has(config) and config.__setattr__ is not object.__setattr__):
            raise PluginError(f"the network {name} has no Config, a frozen attrs class (@attrs.frozen)")
        found = cls(name, _source_sha256(kind), kind)
        for each, of in found.fields().items():
            if of not in _KINDS:
                raise PluginError(
                    f"the network {name}: Config.{each} must be an int, float, bool or str, not {of!r:.60}"
                )
        return found

    def fields(self) -> Mapping[str, type]:
        """Return the names of its hyperparameters, and the type of each: int, float, bool or str."""
        with blamed(self.name):
            hints = get_type_hints(self.kind.Config, include_extras=True)
        return {each.alias or each.name: hints.get(each.name, object) for each in attrs.fields(self.kind.Config)}

    def config(self, values: Mapping[str, Any], vocab: int, max_len: int) -> "OwnConfig":
        """Return what it is made from with these hyperparameters, by default its own; UsageError if a value is not
        allowed or it has more parameters than coc trains, PluginError if its code failed.
        """
        try:
            made = self.kind.Config(**values)
        except Exception as error:
            raise UsageError(f"these hyperparameters of {self.name} are not allowed: {message_of(error)}") from None
        stated, where = attrs.asdict(made), "a saved Config"
        try:
            document = parse_json_object(dumps(stated).encode(), where)
            again = read_document(self.kind.Config, document, where, sparse=True)
        except (TypeError, ArtefactError) as error:
            raise PluginError(f"the network {self.name}: {message_of(error)}") from None
        if attrs.asdict(again) != stated:
            raise PluginError(f"the network {self.name}: {where} is read as {again!a:.80}, and was {made!a:.80}")
        try:
            return OwnConfig(self, vocab, max_len, made)
        except ValueError as error:
            raise UsageError(f"these hyperparameters of {self.name} are not allowed: {message_of(error)}") from None

    def read(self, document: object, where: str) -> "OwnConfig":
        """Return the configuration that `to_json` wrote to a file, which errors call `where`; ArtefactError if it is
        none of this network, PluginError if the network's code failed.
        """
        stored = read_document(_Stored, document, where)
        values = read_document(self.kind.Config, stored.config, f"{where}, 'config'", sparse=True)
        try:
            return OwnConfig(self, stored.vocab, stored.max_len, values)
        except (UsageError, ValueError) as error:
            raise ArtefactError(f"{where}: {message_of(error)}") from None


@frozen
class _Stored:
    """What a `config.json` has of a user's network."""

    vocab: int
    max_len: int
    config: Mapping[str, Any]


@frozen
class OwnConfig:
    """What a user's network is made from: `values` is its Config. Making one counts its parameters, for which it takes
    no memory. Its other sizes are those of a decoder of as many parameters.
    """

    architecture: OwnArchitecture
    vocab: int = field(validator=within(8, MOST_TOKENS))
    max_len: int = field(validator=within(4, 1 << 16))
    values: Any

    def __attrs_post_init__(self) -> None:
        self.parameters()  # before memory is taken

    @cached_property
    def _count(self) -> int:
        with blamed(self.architecture.name):
            try:
                return counted_parameters(self.made, MOST_PARAMETERS, name=self.architecture.name)
            except PluginError:  # a constructor may compute with numbers, which tensors without memory don't have
                return counted_parameters(self.made, MOST_PARAMETERS, name=self.architecture.name, drawn=True)

    def made(self) -> Any:
        """Return an object of the user's class; PluginError if its constructor fails."""
        with blamed(self.architecture.name):
            return self.architecture.kind(self.values, self.vocab, self.max_len)

    def network(self) -> "OwnNetwork":
        """Return a new network, whose weights torch's global generator draws."""
        return OwnNetwork(self)

    def parameters(self) -> int:
        """Return the number of parameters."""
        return self._count

    def stated(self) -> dict[str, Any]:
        """Return the values of all hyperparameters of the network, by name."""
        return attrs.asdict(self.values)

    def to_json(self) -> dict[str, Any]:
        """Return what `config.json` has of it."""
        return {"vocab": self.vocab, "max_len": self.max_len, "config": self.stated()}

    def cache_floats(self) -> int:
        """Return how many numbers it takes to read the next token of one sequence, about."""
        return self.max_len * isqrt(self.parameters())

    def floats_per_token(self) -> int:
        """Return how many numbers a forward pass keeps for each token at one time, about."""
        return 10 * isqrt(self.parameters()) + 3 * self.vocab


class OwnNetwork(Network):
    """A network around a module of the user's, `module`."""

    config: OwnConfig
    draws = True

    def __init__(self, config: OwnConfig) -> None:
        super().__init__()
        self.config = config
        self.module = config.made()

    def hidden(self, input_ids: Tensor, drawn: Any = None, selected: Tensor | None = None) -> Tensor:
        with blamed(self._name):
            states: Tensor = self.module(input_ids)
        self._check(states, input_ids.shape, "forward")
        return states if selected is None else states.flatten(0, 1)[selected]

    def project(self, x: Tensor) -> Tensor:
        if not hasattr(self.module, "project"):
            return x
        with blamed(self._name):
            logits: Tensor = self._check(self.module.project(x), x.shape[:-1], "project")
        return logits

    def begin(self, rows: Sequence[list[int]]) -> Stepping:
        return Stepping(self._step if hasattr(self.module, "step") else self._anew, self.device, rows)

    def saved(self) -> Mapping[str, Tensor]:
        return dict(self.module.state_dict())

    def matrices(self) -> frozenset[str]:
        inner = inner_matrices(self)
        return frozenset(name for name, parameter in inner.items() if self.config.vocab not in parameter.shape)

    @property
    def _name(self) -> str:
        return str(self.config.architecture.name)

    def _step(self, input_ids: Tensor, state: Any) -> tuple[Tensor, Any]:
        with blamed(self._name):
            states, state = self.module.step(input_ids, state)
        self._check(states, input_ids.shape, "step")
        return self.project(states[:, -1]), state

    def _anew(self, input_ids: Tensor, state: Tensor | None) -> tuple[Tensor, Tensor]:
        """Do as `_step`, by running `forward` again; the state is all tokens so far."""
        read = input_ids if state is None else torch.cat((state, input_ids), 1)
        return self.project(self.hidden(read)[:, -1]), read

    def _check(self, found: Any, shape: Sequence[int], method: str) -> Any:
        """Return what a method gave; PluginError unless it is a tensor of that shape and then vocabulary or width."""
        vocab = self.config.vocab if method == "project" or not hasattr(self.module, "project") else None
        numbers = isinstance(found, Tensor) and found.is_floating_point()
        if numbers and tuple(found.shape[:-1]) == tuple(shape) and vocab in (None, found.shape[-1]):
            return found
        given = f"shape {tuple(found.shape)}" if isinstance(found, Tensor) else type(found).__name__
        expected = ", ".join(map(str, (*shape, vocab or "width")))
        raise PluginError(f"the network {self._name}: {method} must give numbers of shape ({expected}), not {given}")


def name_of(kind: type[Any]) -> str:
    """Return what a class is called in a checkpoint, wherever its module is."""
    return f"{kind.__module__.rpartition('.')[2]}:{kind.__qualname__}"


@contextmanager
def blamed(name: str) -> Iterator[None]:
    """Say which network raised an exception; PluginError for any that is neither coc's nor Ctrl-C."""
    try:
        yield
    except CocError:
        raise
    except Exception as error:
        raise PluginError(f"the network {name} raised {described(error)}") from error


def _source_sha256(kind: type[Any]) -> str:
    """Return the SHA-256 of the file that a class is in; empty if it is in none."""
    try:
        return sha256(read_bytes(Path(getsourcefile(kind) or ""), _LARGEST_SOURCE)).hexdigest()
    except (TypeError, OSError, ArtefactError):
        return ""


def load_network(
    folder: Path, config: Mapping[str, Any], architecture: OwnArchitecture
) -> tuple[Network, TextTokenizer]:
    """Return the network and the tokenizer of a checkpoint; arguments and errors as for `checkpoint.load`. The folder
    says a name only, which is compared with that of `architecture`; nothing is imported.
    """
    where = str(folder / CONFIG)
    checkpoint.check_keys(folder, config, "network", "model")
    if (name := network_name(folder, config)) != architecture.name:
        raise ArtefactError(
            f"the checkpoint {folder} is of the network {quoted(name, 80)[1:-1]}, not {architecture.name}"
        )
    made = architecture.read(config.get("model"), f"{where}, 'model'")
    tokenizer = checkpoint.load_tokenizer(folder, config, made)
    with torch.random.fork_rng(devices=[]):
        network = made.network().requires_grad_(False)
    saved = network.saved()
    stored = checkpoint.load_tensors(folder, {name: tuple(tensor.shape) for name, tensor in saved.items()})
    for each, array in stored.items():
        saved[each].copy_(torch.from_numpy(array))
    return network.eval(), tokenizer


def network_name(folder: Path, config: Mapping[str, Any]) -> str:
    """Return the name of the network of a checkpoint."""
    name = config.get("network")
    if not isinstance(name, str):
        raise ArtefactError(f"{folder / CONFIG} names no network")
    return name


_REMEDY = "write MODULE:CLASS or FILE.py:CLASS, such as gru.py:Gru"


def own_network(choice: Any) -> OwnArchitecture:
    """Return the network that a text names, or that a class is; UsageError if there is no such module, file or class,
    PluginError if it can't be imported, which is done under guard, as plugins are, or if it is no network.
    """
    if not isinstance(choice, str):
        return OwnArchitecture.of(choice)
    place, _, name = choice.rpartition(":")
    if not place or not _is_dotted(name):
        raise UsageError(f"{quoted(choice)} names no network", remedy=_REMEDY)
    module = _from_file(Path(place)) if place.endswith(".py") else _from_module(place)
    kind = _member(module, name)
    if kind is None:
        known = [each for each, value in vars(module).items() if isinstance(value, type) and not each.startswith("_")]
        raise UsageError(f"{place} has no class {name!r}", remedy=suggest(name, known))
    return OwnArchitecture.of(kind)


def loaded_network(name: str) -> OwnArchitecture | None:
    """Return the network of that name in a file that the user has given as a plugin; None if there is none."""
    for module in list(sys.modules.values()):
        if isinstance(getattr(module, "__loader__", None), FileLoader):
            kind = _member(module, name.partition(":")[2])
            if isinstance(kind, type) and name_of(kind) == name:
                return OwnArchitecture.of(kind)
    return None


def _member(module: Any, name: str) -> Any:
    """Return what a dotted name means in a module; None if it means nothing."""
    for part in name.split("."):
        module = getattr(module, part, None)
    return module


def _is_dotted(name: str) -> bool:
    return all(part.isidentifier() for part in name.split("."))


def _from_file(path: Path) -> Any:
    try:
        (plugin,) = Registry.of(()).with_files([path]).plugins
    except UsageError as error:
        raise UsageError(error.message.replace("plugin", "network"), remedy=error.remedy) from None
    return _loaded(plugin, str(path))


def _from_module(name: str) -> Any:
    if not _is_dotted(name):
        raise UsageError(f"{quoted(name)} is neither a module nor a file in Python", remedy=_REMEDY)
    place = str(Path.cwd())
    sys.path.append(place)  # where a user's own modules are, and last, so that they replace none
    try:
        (plugin,) = load([EntryPoint(name, name, "coc")])
    finally:
        sys.path.remove(place)
    parents = accumulate(name.split("."), lambda outer, inner: f"{outer}.{inner}")
    if any(plugin.error.startswith(f"ModuleNotFoundError: No module named {each!r}") for each in parents):
        raise UsageError(f"there is no module {name!r} for --network", remedy=_REMEDY)
    return _loaded(plugin, name)


def _loaded(plugin: Plugin, place: str) -> Any:
    """Return the module of a plugin, which need not offer anything."""
    if plugin.error:
        where = f"; raised at {plugin.where}" if plugin.where else ""
        alone = plugin.from_file and plugin.error.startswith(("ImportError", "ModuleNotFoundError"))
        remedy = "if it imports its neighbours, name it as a module of this folder: PACKAGE.MODULE:CLASS"
        reason = f"the network's module {place} can't be imported: {plugin.error}{where}"
        raise PluginError(reason, remedy=remedy if alone else "")
    return sys.modules[plugin.module]
