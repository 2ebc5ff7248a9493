#!/usr/bin/env bash
# Make the tables with coc, check all proofs, and print what each theorem rests on: bash proofs/check.sh [COC]
# It needs Coq 8.16 (Debian: apt install coq) and coc; what it makes goes to build/proofs.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
coc=$(command -v "${1:-coc}")
coc=$(cd "$(dirname "$coc")" && pwd)/${coc##*/}
work=$here/../build/proofs
mkdir -p "$work"
cp "$here"/*.v "$work"
cd "$work"
certify() {  # TABLE ARGUMENT...: make a certificate, and a table of it
    "$coc" certify --out "$1.certificate" "${@:2}"
    python3 "$here/make_table.py" "$1.certificate" > "$1.v"
}
certify Table --domain blocksworld --memory heap
certify TableExtended --domain blocksworld-extended --memory heap
certify TableHanoi --domain hanoi --memory pda --n 1-64
certify TablePancake --domain pancake --memory heap
certify TableSort --domain sort --memory heap
# With FINAL=1 also the statement about weights, whose computations take long and have not been seen to end.
if [ -n "${FINAL:-}" ]; then
    "$(dirname "$coc")/python" "$here/make_weights.py" Table.certificate \
    "$here/../plugins/coc_puzzles/blocksworld/checkpoints/blocksworld-heap" > Weights.v
fi
theorems=(Machine MachineFacts BlocksWorld BlocksWorldProof Stack Hanoi HanoiProof Pancake PancakeProof
    Sort SortFacts SortProof Table TableExtended TableHanoi TablePancake TableSort Theorems)
layers=(Vectors Float32 Balls Fixed Linear Normal Attend Blocks Tokens Sequence Model Gram Decoding Assumptions ${FINAL:+Weights Final})
for each in "${theorems[@]}" "${layers[@]}"; do
    began=$SECONDS
    coqc "$each.v" | sed "s/^/$each: /"
    echo "$each.v is right ($((SECONDS - began)) s)"
done
