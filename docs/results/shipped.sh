#!/usr/bin/env bash
# The trainings and tests of shipped.md, section by section. They take hours.
set -euo pipefail

# The policies
for setting in "--memory pda" "--memory tape" "--memory tape --arith inline"; do
    for domain in blocksworld blocksworld-extended pancake; do
        coc eval --domain $domain $setting --n 5-40 --model reference
    done
    coc eval --domain hanoi-4 $setting --n 1-20 --exhaustive --model reference
    coc eval --domain river-crossing $setting --n 1-50 --exhaustive --model reference
done
coc eval --domain blocksworld --n 8 --exhaustive --model reference
coc eval --domain pancake --n 8 --exhaustive --model reference

# Plan lengths
coc eval --domain blocksworld --n 6 --exhaustive --optimal --model reference
coc eval --domain blocks --n 1-5 --exhaustive --optimal --model reference
python benchmarks/plan_lengths.py --pancakes 7 9 40

# Tower of Hanoi
coc train --domain hanoi --memory pda --n 1-20 --preset exact-numbers --set digit_positions=16 --set steps=4000 \
    --seed 0 --holdout-by pairs --test-n 21-64 --out hanoi-pda
coc train --domain hanoi --memory tape --n 1-20 --holdout-by pairs --set max_len=160 --out hanoi-tape-symbolic
coc train --domain hanoi --memory tape --arith inline --n 1-15 --holdout 0.5 --holdout-by pairs --seed 0 \
    --preset exact-numbers --test-n 16 --out hanoi-tape-inline
coc eval --domain hanoi --memory pda --n 1-64 --exactness --no-runs
coc eval --domain hanoi --memory tape --n 1-20
coc eval --domain hanoi --memory tape --arith inline --n 20 --exactness --no-runs

# Lists on a stack or a tape
coc train --domain blocksworld --memory pda --memory tape --arith symbolic --arith inline --n 1-20 --instances 150 \
    --holdout 0.02 --holdout-by pairs --preset exact-lists --set steps=3000 --seed 0 --test-n 21,30,40,60,80,100 \
    --test-instances 50 --out blocksworld

# Lists on a stack or a tape
for setting in "--memory pda" "--memory tape" "--memory tape --arith inline"; do
    coc eval --domain blocksworld $setting --n 5-40 --instances 50 --exactness --no-runs
    coc eval --domain blocksworld-extended $setting --n 5-40 --instances 50
    coc eval --domain pancake $setting --n 41,50,60,80,100 --instances 10 --exactness --no-runs
done
coc reproduce eight --budget full

# Records on a heap
coc train --domain blocks --memory heap --n 1-20 --instances 150 --holdout 0 --preset exact-numbers \
    --set name_permutation=0 --set steps=1000 --seed 0 --test-n 21,40,100 --test-instances 10 --out blocks
python benchmarks/record_prompts.py blocks --problems 2000 --n 1-20 --bounds
coc eval --domain blocks --memory heap --n 21,30,40,60,80,100,200 --instances 50
coc eval --domain blocks --memory heap --n 1000,10000 --instances 3

# Learned arithmetic
coc train --preset arithmetic --test-n 1-19 --test-instances 1000 --out arithmetic
coc eval --domain hanoi --memory tape --arith learned --addresses 0-2000000
