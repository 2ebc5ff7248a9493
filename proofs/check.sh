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
for each in blocksworld: blocksworld-extended:Extended; do
    "$(dirname "$coc")/python" "$here/make_weights.py" "Table${each#*:}.certificate" \
        "$here/../plugins/coc_puzzles/blocksworld/checkpoints/${each%:*}-heap" > "Weights${each#*:}.v"
done
theorems=(Machine MachineFacts BlocksWorld BlocksWorldProof Stack Hanoi HanoiProof Pancake PancakeProof
    Sort SortFacts SortProof Table TableExtended TableHanoi TablePancake TableSort Theorems)
layers=(Vectors Float32 Balls Fixed Linear Gelu Normal Attend Blocks Tokens Sequence Model Exact Gram Decoding Written)
weights=(Weights Checks WeightsExtended ChecksExtended)
computations=(PromptsExtended{1,2,3} Prompts{1,2} Stretches StretchesExtended)
check() {
    coqc "$1.v" | sed "s/^/$1: /"
    echo "$1.v is right ($SECONDS s)"
}
export -f check
each_of() { # how many at a time, and which
    printf '%s\n' "${@:2}" | xargs -n 1 -P "$1" bash -euo pipefail -c 'check "$0"'
}
each_of 1 "${theorems[@]}" "${layers[@]}" "${weights[@]}"
each_of 2 "${computations[@]}"
each_of 1 Final FinalExtended
