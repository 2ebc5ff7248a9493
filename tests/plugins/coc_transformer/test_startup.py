"""Loading a checkpoint imports what decoding needs: no compiler of torch's, no sympy, nothing of several processes."""

import json
import subprocess
import sys

import pytest

from coc_core.plugin import CheckpointSpec, Registry

UNNEEDED = (
    *("sympy", "torch._dynamo", "torch._inductor", "torch._refs", "torch.distributed", "torch.onnx", "torch.optim"),
    *(f"coc_transformer.{room}" for room in ("training",)),
)
LOADING = """
import json, sys
from pathlib import Path
import torch
before = set(sys.modules)
from coc_core.models import read_config
from coc_transformer.decoding.backend import open_checkpoint
for folder in map(Path, sys.argv[1:]):
    identity, config = read_config(folder)
    open_checkpoint(folder, config, identity, identity.dialects[0]).complete(["?"])
print(json.dumps(sorted(set(sys.modules) - before)))
"""


@pytest.mark.slow
def test_loading_a_shipped_checkpoint_imports_nothing_that_decoding_does_not_need():
    registry = Registry.installed()
    folders = map(str, map(registry.folder, registry.specs(CheckpointSpec)[::5]))
    done = subprocess.run([sys.executable, "-c", LOADING, *folders], capture_output=True, text=True, check=True)
    names = json.loads(done.stdout)
    assert "coc_transformer.decoding.backend" in names
    assert [name for name in names if name.startswith(UNNEEDED)] == []
