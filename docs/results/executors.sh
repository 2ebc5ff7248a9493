#!/usr/bin/env bash
# The measurements of executors.md, section by section. Some take hours.
set -euo pipefail

# Random cases
coc fuzz --executor lockstep --seed 0

# Infinite loops and long runs
pytest tests/coc_core/memories/test_loops.py
python benchmarks/scale.py --disks 20 25 --tape 17 20 --tenths 20

# Composed runs
OMP_NUM_THREADS=1 python benchmarks/composing.py --times 5

# The default executor
python benchmarks/executors.py --rounds 3 --domain blocksworld
python benchmarks/executors.py --rounds 1 --domain blocksworld-extended pancake
python benchmarks/executors.py --rounds 3 --domain hanoi --memory pda
python benchmarks/executors.py --rounds 1 --domain hanoi --arith inline symbolic --memory tape
python benchmarks/executors.py --rounds 1 --domain hanoi --arith learned --memory tape --n 15

# Backends
OMP_NUM_THREADS=1 python benchmarks/backends.py

# Recording
python benchmarks/recording.py

# Votes on a noisy endpoint
python benchmarks/noisy_endpoint.py

# Killed work
python benchmarks/kills.py --kills 10000

# Damaged and forged files
COC_DAMAGES=2500 pytest -m slow -k no_damaged
