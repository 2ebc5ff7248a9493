"""The backend `numpy`: a checkpoint of `coc_transformer` behind the core's model interface, without torch."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from coc_core.errors import UsageError
from coc_core.extras import needs_extra
from coc_core.models import Identity, requested_device
from coc_transformer.checkpoint_model import CheckpointModel, dialect_index
from coc_transformer.continuation import Ids
from coc_transformer.files import checkpoint
from coc_transformer.numpy.network import Array, Network, Reader

_FLOATS = 1 << 26  # for all sequences that are read together
_BEGUN = 1 << 12  # tokens of these, where one after the other is decoded
_READ = 1 << 9  # likewise, where all are read at once, so that what is computed stays in the processor's caches


class NumpyRuntime:
    """What numpy computes of a network."""

    def __init__(self, network: Network) -> None:
        self.network, self.config, self.most_begun = network, network.config, _BEGUN

    @property
    def most_read(self) -> float:
        floats = self.config.floats_per_token() + 2 * self.config.layers * self.config.d_model
        return min(_READ, _FLOATS / floats)

    def computing(self) -> np.errstate:
        return np.errstate(all="ignore")  # numbers that are not finite are found among the logits

    def begin(self, rows: Ids) -> tuple[Reader, Array]:
        reader = Reader(self.network, rows, self.config.max_len - min(map(len, rows)))
        return reader, reader.read(rows)

    def last_logits(self, rows: Ids, lengths: Sequence[int]) -> Array:
        hidden = Reader(self.network, rows).hidden(rows, max(1, *lengths))
        last = np.arange(-hidden.shape[1], 0) >= -np.array(lengths)[:, None]
        logits: Array = hidden[last].dot(self.network.output)
        return logits

    def likeliest(self, logits: Array) -> tuple[Array, Array, Array]:
        best = np.partition(logits, -2, 1)
        finite = np.asarray(np.isfinite(logits).all(1))
        return logits.argmax(1), best[:, -1] - best[:, -2], finite

    def array(self, logits: Array) -> Array:
        return logits


class NumpyTransformer(CheckpointModel):
    """A checkpoint that numpy runs; arguments as for `CheckpointModel`."""

    def __init__(self, stored: checkpoint.Stored, label: str, dialect: int = 0) -> None:
        self._stored = stored
        super().__init__(self._runtime(np.float32), stored.tokenizer, label, dialect)

    def _runtime(self, dtype: Any) -> NumpyRuntime:
        stored = self._stored
        return NumpyRuntime(Network(stored.config, stored.tensors, stored.tokenizer.kinds(), dtype))

    def _exact(self) -> NumpyRuntime:
        return self._runtime(np.float64)

    def _exact_decoder(self) -> Any:
        with needs_extra("train", "bounds on rounding, which --no-bounds leaves out, need torch"):
            from coc_transformer.model import decoder_of
        return decoder_of(self._stored).double()


def open_checkpoint(folder: Path, config: dict[str, Any], identity: Identity, dialect: str) -> NumpyTransformer:
    """Open a checkpoint as the model for a dialect, given what `read_config` gives; ArtefactError if it is broken,
    UsageError if another device than the CPU is asked for.
    """
    device = requested_device()
    if device is not None and device[0] != "cpu":
        raise UsageError(f"{device[1]}: numpy computes on the CPU", remedy="choose the model as torch:NAME")
    stored = checkpoint.load(folder, config)
    index = dialect_index(folder, identity, stored.tokenizer, dialect)
    model = NumpyTransformer(stored, folder.resolve().name, index)
    model.record = {"fingerprint": checkpoint.fingerprint(folder), "numpy": np.__version__}
    return model
