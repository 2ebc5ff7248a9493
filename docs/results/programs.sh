#!/usr/bin/env bash
# The trainings and tests of programs.md, section by section. They take hours.
set -euo pipefail

# Algorithms as programs
train() { coc train --domain $1 --memory heap --arith symbolic --n $2 --instances 20 --holdout 0 \
    --preset exact-numbers --set steps=$3 --seed 0 --out $1; }
train maze-dfs 2-6 400; train tiles 2-3 500
for each in maze sort sort-insertion exact-cover rotten-oranges; do coc train -d $each -o $each; done
for each in maze maze-dfs sort sort-insertion tiles exact-cover rotten-oranges; do
    coc certify -d $each -n 2 --instances 1 -o $each.certificate
    python examples/check_program_certificate.py $each.certificate plugins/coc_algorithms/checkpoints/$each
done
coc eval --domain maze --n 5,20,50,100 --instances 25
coc eval --domain maze-dfs --n 5,20,50,100 --instances 25
coc eval --domain sort --n 10,100,1000 --instances 10
coc eval --domain sort-insertion --n 10,100 --instances 10
coc eval --domain tiles --n 3 --instances 50
coc eval --domain tiles --n 4 --instances 10

# Certificates
python benchmarks/certificates.py --only hanoi-pda hanoi-tape
python benchmarks/certificates.py --only pancake blocksworld --size 8
python benchmarks/certificates.py --only blocks-heap-40 pancake-heap blocksworld-heap

# Faults in a certificate
COC_DAMAGES=500 pytest -m slow -s tests/examples/test_damage.py

# Rounding
python benchmarks/rounding.py --passes 100000

# Scheme
coc train --domain scheme --memory heap --arith symbolic --n 1-1 --instances 1 --holdout 0 --preset exact-numbers \
    --set name_permutation=0 --set steps=1600 --out scheme
coc certify --domain scheme --n 1 --instances 1 --out scheme.certificate
python examples/check_program_certificate.py scheme.certificate plugins/coc_scheme/checkpoints/scheme

# Functions
learned() { local file=(--domain $1 --plugin examples/functions/$2.py)
    coc train "${file[@]}" --out $1
    coc certify "${file[@]}" --model $1 --n 2 --instances 2 --out $1.certificate
    python examples/check_program_certificate.py $1.certificate $1
    coc eval "${file[@]}" --model $1 --n $3 --instances 3 --max-steps 50000000; }
for name in multiply quicksort lcs kmp sokoban turing brainfuck kosaraju dijkstra kruskal; do learned $name $name 200; done
learned tree-sort trees 200; learned gcd gcd 60; learned dpll dpll 30; learned queens queens 12

# Scheme: 104,424,318 steps
echo '(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))) (display (fib 30)) (newline) (display (fib 25)) (newline)' \
    | coc run --domain scheme --problem - --max-steps 300000000
