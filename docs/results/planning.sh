#!/usr/bin/env bash
# The measurements of planning.md, section by section. Some take hours.
set -euo pipefail

# Plans and seconds
pip install -c constraints.txt '.[planning]' up-fast-downward up-pyperplan
python benchmarks/planners.py

# Any goal, any names
python benchmarks/planning.py --only tower
python benchmarks/planning.py --only drawn --part 40
python benchmarks/planning.py --only contradictory
python benchmarks/planning.py --only shuffled
python benchmarks/planning.py --only damaged
pytest -m slow tests/plugins/coc_planning/test_views.py

# Validators
python benchmarks/validators.py --plans 10000 --val build/bin/Validate
