#!/usr/bin/env bash
# The trainings and tests of unseen.md: Numbers, Lists, What each part adds. They take hours.
set -euo pipefail

for seed in 0 1 2; do
    coc train --domain hanoi --memory pda --n 1-20 --preset exact-numbers --set digit_positions=16 --set steps=4000 \
        --holdout-by pairs --seed $seed --test-n 21-64 --out stack-$seed
    coc train --domain hanoi --memory tape --arith inline --n 1-15 --holdout 0.5 --preset exact-numbers --seed $seed \
        --holdout-by pairs --test-n 16 --out tape-$seed
    coc train --domain checkers --memory pda --memory tape --arith symbolic --arith inline --n 1-20 --holdout 0 \
        --preset exact-numbers --seed $seed --test-n 21-40 --out checkers-$seed
    coc train --preset arithmetic --largest-address 9999 --set tokens=binary --set attention=target \
        --set weight_decay=1.0 --set digit_positions=100 --set max_len=512 --set steps=3000 --seed $seed --test-n 1-19 --test-instances 200 --out short-$seed
done
coc eval --domain hanoi --memory tape --arith inline --n 17-20 --exactness --no-runs
python benchmarks/deep_steps.py --n 1-38 --steps 2000 --plot unseen-hanoi-tape.svg
coc train --domain hanoi --memory tape --arith inline --n 1-8 --holdout 0 --preset exact-numbers --set steps=3000 \
    --seed 0 --test-n 9-13 --out eight
python benchmarks/long_sums.py short-0 --digits 1-19 --sums 200
coc train --preset arithmetic --largest-address 9999 --set tokens=binary --set attention=target \
    --set weight_decay=1.0 --set digit_positions=3400 --set min_score_scale=0.3 --set max_len=8192 --set steps=3000 \
    --seed 0 --out scaled  # which had 3,500 digit positions, not 4,096
python benchmarks/long_sums.py scaled --plot unseen-sums-scaled.svg

lists() {
    coc train --memory pda --memory tape --arith symbolic --arith inline --preset exact-lists \
        --holdout-by pairs "$@"
}
flips="--set layers=4 --set attention=other-lists --set tokens=brackets --set min_score_scale=1"
for seed in 0 1 2; do
    lists --domain blocksworld --n 1-20 --instances 150 --holdout 0.02 --set steps=3000 --seed $seed \
        --test-n 21,30,40,60,80,100 --test-instances 50 --out blocksworld-$seed
    lists --domain blocksworld-extended --n 1-40 --instances 150 --holdout 0.01 --set token_shift=3 --set steps=8000 \
        --seed $seed --test-n 50,60,80,100 --test-instances 10 --out extended-$seed
    lists --domain pancake --n 1-40 --instances 100 --near-goal 100 --holdout 0.01 $flips --set score_noise=0.5 \
        --set lr=2e-3 --set steps=4000 --seed $seed --test-n 50,60,80,100 --test-instances 10 --out pancake-$seed
done
lists --domain blocksworld --n 1-40 --instances 80 --holdout 0.01 --set steps=4000 --set name_pool=256 \
    --set max_len=2048 --seed 0 --test-n 50,100,150,200 --test-instances 5 --out blocksworld-40
lists --domain blocksworld-extended --n 1-20 --instances 300 --holdout 0.02 --set token_shift=3 --set steps=10000 \
    --seed 0 --test-n 21,30,40,60,80,100 --test-instances 50 --out extended-20
lists --domain pancake --n 1-20 --instances 150 --near-goal 150 --holdout 0.02 $flips --set score_noise=1 \
    --set steps=4500 --seed 0 --test-n 21,30,40,60,80,100 --test-instances 50 --out pancake-20
coc eval --domain blocksworld-extended --n 10,20,30,40,41,50,60 --instances 5 --exactness --no-runs \
    --plot unseen-blocksworld-extended.svg

coc train --domain blocksworld --memory pda --n 1-10 --instances 200 --holdout 0.02 --preset exact-lists \
    --holdout-by pairs --set d_model=64 --set steps=1200 --set name_pool=64 \
    --set final_pairs=1000 --test-n 10,20,40,60 --test-instances 60 --out small
