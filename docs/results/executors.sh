#!/usr/bin/env bash
# The measurements of executors.md, section by section. Some take hours.
set -euo pipefail

# Texts of a model
python benchmarks/fuzz.py --texts 100000000 --seed 21 --log fuzz.log

# Random cases
coc fuzz --executor lockstep --seed 0

# Infinite loops and long runs
pytest tests/coc_core/memories/test_loops.py
python benchmarks/scale.py --disks 20 25 --tape 17 20 --tenths 20

# Composed runs
python benchmarks/summaries.py --models 10000
OMP_NUM_THREADS=1 python benchmarks/composing.py --times 5

# The default executor
python benchmarks/executors.py --rounds 3 --domain blocksworld
python benchmarks/executors.py --rounds 1 --domain blocksworld-extended pancake
python benchmarks/executors.py --rounds 3 --domain hanoi --memory pda
python benchmarks/executors.py --rounds 1 --domain hanoi --arith inline symbolic --memory tape
python benchmarks/executors.py --rounds 1 --domain hanoi --arith learned --memory tape --n 15

# Backends
OMP_NUM_THREADS=1 python benchmarks/backends.py
python benchmarks/host.py --problems 200

# Recording
python benchmarks/recording.py

# Requests a second
python benchmarks/serving.py --rounds 2 --clients 1 8 32 64

# Votes on a noisy endpoint
python benchmarks/noisy_endpoint.py

# Votes of a weakened model
python benchmarks/votes.py --temperature 2.75 --draws 200 --runs 200

# Killed work
python benchmarks/kills.py --kills 10000
python benchmarks/ledger_kills.py --kills 1000

# Damaged and forged files
COC_DAMAGES=2500 pytest -m slow -k no_damaged
