"""Write a checkpoint's weights, as the bits in its file, and bounds for the proofs: python make_weights.py CERTIFICATE CHECKPOINT

They need no trust: Rocq checks them. `L` of a matrix W makes the sums of |W'W + L'L| in each row small, so that
their largest bounds how far W stretches a vector.
"""

import json
import math
import struct
import sys
from pathlib import Path

import numpy as np

HEAD = """Require Import Uint63 ZArith List String Model. Import ListNotations."""
SHIFT = 1 << 40


def tensors(path: Path) -> dict[str, np.ndarray]:
    """Return the 32 bits of each number of a safetensors file, by its name."""
    data = path.read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    found = {}
    for name, entry in json.loads(data[8 : 8 + size]).items():
        if name != "__metadata__":
            begin, end = (8 + size + offset for offset in entry["data_offsets"])
            found[name] = np.frombuffer(data[begin:end], "<u4").reshape(entry["shape"])
    return found


def written(values: np.ndarray) -> str:
    """Return a list, or a list of lists, as Rocq has it."""
    if values.ndim == 1:
        return "[" + ";".join(map(str, values.tolist())) + "]"
    return "[" + ";\n".join(map(written, values)) + "]"


def bounded(bits: np.ndarray) -> tuple[int, np.ndarray]:
    """Return a bound on the rows of |W'W + L'L|, times 2^52, and L times 2^26."""
    matrix = np.floor(bits.view("<f4").astype(np.float64) * 2**26)
    gram = matrix.T @ matrix
    largest = float(np.linalg.eigvalsh(gram)[-1]) * 1.002
    rows = np.rint(np.linalg.cholesky(largest * np.eye(len(gram)) - gram).T)
    return math.ceil(np.abs(gram + rows.T @ rows).sum(1).max() * (1 + 1e-9)) + 2**20, rows.astype(np.int64) + SHIFT


def main(certificate: str, folder: str) -> None:
    """Print the constants."""
    found = tensors(Path(folder) / "model.safetensors")
    vocab = json.loads((Path(folder) / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]
    texts = ['"' + token.replace('"', '""') + '"' for token in sorted(vocab, key=vocab.__getitem__)]
    layers = sum(name.endswith(".norm1.weight") for name in found)
    print(HEAD)
    print(f"Definition vocabulary : list string := [{'; '.join(texts)}]%string.\nOpen Scope uint63_scope.")
    names = (
        "norm1.weight",
        "norm1.bias",
        "qkv.weight",
        "out.weight",
        "norm2.weight",
        "norm2.bias",
        "up.weight",
        "up.bias",
    )
    bounds, rows = [], []
    for layer in range(layers):
        parts = [found[f"blocks.{layer}.{name}"] for name in (*names, "down.weight", "down.bias")]
        print(f"Definition block{layer} := BlockWords " + "\n ".join(map(written, parts)) + ".")
        pairs = [*map(bounded, [*np.split(parts[2], 3), parts[3], parts[6], parts[8]])]
        bounds.append([bound for bound, _ in pairs])
        rows.append([written(each) for _, each in pairs])
    first = [found[name] for name in ("tokens.weight", "positions.0.weight", "positions.1.weight", "shifts.0.weight")]
    blocks = "; ".join(f"block{layer}" for layer in range(layers))
    last = [written(found["norm.weight"]), written(found["norm.bias"])]
    print("Definition weights := Words " + "\n ".join(map(written, first)) + f"\n [{blocks}] " + "\n ".join(last) + ".")
    for name, bits in (("shift", first[3]), ("token", first[0])):
        bound, each = bounded(bits)
        print(
            f"Definition {name}_bound : Z := {bound}%Z.\nDefinition {name}_rows : list (list int) := {written(each)}."
        )
    print(f"Definition bounds : list (list Z) := {json.dumps(bounds).replace(',', ';')}%Z.")
    matrices = ";\n".join("[" + ";\n".join(each) + "]" for each in rows)
    print(f"Definition matrix_rows : list (list (list (list int))) := [{matrices}].")
    factors = [math.floor(math.log(t + 1) / (2 * math.sqrt(32)) * 2**32) for t in range(40)]
    print(f"Definition factors : list Z := {json.dumps(factors).replace(',', ';')}%Z.")
    sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))
    from certificate.checkpoint import Checkpoint  # its tokenizer says what to check, and is not trusted
    from certificate.model import Model

    document, model = json.loads(Path(certificate).read_text()), Model(Checkpoint(Path(folder)))
    targets = [model.tokenizer.encode(rule["target"]) for rule in document["rules"]]
    print(f"Definition targets : list (list nat) := {json.dumps(targets).replace(',', ';')}%nat.")


if __name__ == "__main__":
    main(*sys.argv[1:])
