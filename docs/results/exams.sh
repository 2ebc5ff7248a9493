#!/usr/bin/env bash
# The exams of exams.md, section by section. They take hours.
set -euo pipefail

# A planning competition; the other validator was built in val/
git clone https://github.com/ipc2023-learning/benchmarks ipc2023
python benchmarks/exams.py ipc2023 --domains blocksworld childsnack ferry floortile miconic rovers satellite spanner \
    transport --val val/build/bin/Validate
python benchmarks/exams.py ipc2023 --domains sokoban --limit 300 --val val/build/bin/Validate

# More planning problems
git clone https://github.com/karthikv792/LLMs-Planning
git clone https://github.com/aibasel/downward-benchmarks
for folder in LLMs-Planning/plan-bench/instances/{{blocksworld,logistics,obfuscated_*},blocksworld/mystery}/generated*/
do cp "$folder"/../generated_domain.pddl "$folder"/domain.pddl; done
for folder in LLMs-Planning/plan-bench/instances/{{blocksworld,logistics,obfuscated_*},blocksworld/mystery}/generated*/ \
    downward-benchmarks/{blocks,childsnack*,floortile*,gripper,logistics*,miconic,rovers,satellite,transport*,visitall*}/
do coc eval --problems "$folder" --plans "plans/$folder" --plan-format pddl; done

# Sudokus, tiles and items. top95.txt and hardest.txt are the pages' lists; seventeen.txt is 100 lines that
# `shuf -n 100 --random-source=<(yes 0)` takes of Royle's list with its heading
for each in top95 seventeen hardest; do coc eval --domain exact-cover --problems $each.txt; done
# Korf's goal has the gap first: place p becomes place 15 - p, and tile t tile 16 - t
git clone https://github.com/debraj92/Sliding_Puzzle_Solver korf
for each in 55 19 12 31 42 47 79 58 71 97 93 86 74 65 38 81 45; do
    awk -v n=$each '$1 == n { for (i = 17; i > 1; i--) printf "%d ", $i ? 16 - $i : 0 }' korf/korf100.txt > board.txt
    time coc run --domain tiles --problem board.txt --max-steps 200000000
done
python - << 'end'
import json
from reasoning_gym import create_dataset
more = {"tower_of_hanoi": {"max_pegs": 4}}
names = "sudoku mini_sudoku maze shortest_path n_queens number_sorting rotten_oranges tower_of_hanoi".split()
with open("items.jsonl", "w") as file:
    for name in names:
        file.writelines(json.dumps(item) + "\n" for item in create_dataset(name, size=60, seed=7, **more.get(name, {})))
end
coc eval --problems items.jsonl --plans answers --plan-format reasoning-gym
