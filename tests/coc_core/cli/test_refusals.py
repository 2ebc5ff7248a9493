"""What the command line refuses: the exit code, the words after `coc`, and a part of the one line on stderr."""

import shlex
import signal

import pytest

from coc_core.cli import main
from coc_puzzles.hanoi.domain import Hanoi

# In these words, RUN stands for a run of Hanoi with the reference model, EVAL and TRAIN alike.
SHORT = {
    "RUN": "run -d hanoi -n 3 --model reference",
    "EVAL": "eval -d hanoi -n 2 --model reference",
    "PANCAKE": "eval -d pancake -n 5 --model reference",
    "SUMS": "eval -d hanoi -m tape -a learned --arith-model reference",
    "TRAIN": "train -d hanoi -n 1-3 --model parrot -o new",
    "BUILD": "data build -d hanoi -n 1-3 -o new",
    "HUGE": "run -d hanoi -n 64 --model reference",
    "GRAMMAR": "--plan-format grammar --plan new",
    "RESUME": "run --resume cut.run",
}

REFUSALS = """
2 | run | Missing option '--domain'
2 | run -d hanoi --seed | Option '--seed' requires an argument
2 | run --seeds 3 | No such option: --seeds (Possible options: --seed)
2 | run --size 3 | No such option: --size
2 | run moves.txt | unexpected argument 'moves.txt'; `coc run --help` lists
2 | rum | there is no command 'rum'; `coc --help` lists the commands
2 | solve | there is no command 'solve'; did you mean `coc run`?
2 | data biuld | did you mean `coc data build`? `coc data --help`
2 | hanio | did you mean `coc run --domain hanoi`?
2 | train hanio -n 3 | unexpected argument 'hanio'; did you mean `coc train --domain hanoi`?
2 | run -d tiles | tiles has no problem of size n=8, the default; choose one from 2 to 4 with --n
2 | RUN -n 0 | hanoi has no problem of size n=0; n is 1 to 64
2 | RUN -x cached -n 40 | this problem takes 1,649,267,441,662 steps, the limit is 100,000,000; choose a smaller n
2 | RUN -n x | Invalid value for '--n' / '-n': 'x' is not a whole number
2 | RUN --max-steps 0 | it must be at least 1, not 0
2 | RUN -d hanio | unknown domain 'hanio'; did you mean 'hanoi'? choose from
2 | RUN -x cashed | unknown executor 'cashed'; did you mean 'cached'? choose from auto, cached, lock
2 | RUN -x vote:k=0 | the option k of the executor vote: it must be from 1 to 100, not 0
2 | RUN -x cached:k=3 | unknown executor 'cached:k=3'; did you mean 'cached'
2 | RUN --model referenze | unknown model 'referenze', and no folder of that name; did you mean 'reference'?
2 | RUN --model parrot | the model 'parrot' needs a checkpoint
2 | RUN -x cached --model nondeterministic | the executor 'cached' needs a deterministic model, and 'nondeterministic'
2 | RUN --problem - | --n and --problem both choose the problem; give one of them
2 | run -d hanoi --problem none | can't read the problem none: No such file or directory
2 | run -d hanoi --problem moves.txt | problem
2 | run -d stack-queue -m tape --model reference | stack-queue can't run on tape; choose one of: pda
2 | RUN --watch | --watch needs a terminal; leave it out, or don't pipe the output
2 | RUN --watch --json | --watch can't be combined with --json
2 | RUN --watch --delay nan | 'nan' is not a number such as 0.5
2 | RUN --delay 61 | it must be from 0 to 60, not 61
2 | run -d hanoi -n 2 --device abacus | device 'abacus': torch finds no such device here
2 | RUN --save moves.txt | moves.txt already exists; choose another file, or continue that run with --resume
2 | RUN --plan-format json | --plan-format needs --plan; name the plan's file with --plan FILE
2 | RUN --plan new --plan-format sas | unknown plan format 'sas'; choose from grammar, json, pddl
2 | RUN --plan new --plan-format reasoning-gym -d pancake | has no plans of pancake; choose from text, json
5 | RUN --plan none/plan | can't write the plan none/plan: No such file or directory
5 | RUN --plan /dev/full | can't write the plan /dev/full: it exists and is not a regular file
2 | HUGE -x cached | ; choose a smaller n, or raise --max-steps
2 | HUGE --model nondeterministic | the limit is 100,000,000; choose a smaller n, or raise --max-steps
2 | HUGE --save new | without what needs every step, such as --save, there is no limit
2 | HUGE --pddl-out new | without what needs every step, such as --save, there is no limit
2 | HUGE --plan new --plan-format json | without what needs every step, such as --save, there is no limit
2 | RUN GRAMMAR -m tape | a plan is a grammar only where steps can be skipped
2 | RUN GRAMMAR -d pancake | a plan is a grammar only where steps can be skipped
2 | RUN GRAMMAR -x lockstep | a plan is a grammar only where steps can be skipped
2 | RUN GRAMMAR --watch | --watch shows every step, and --plan-format grammar skips them
2 | RUN GRAMMAR --pddl-out a | --pddl-out writes every step, and --plan-format grammar skips them
3 | RUN --model ./none | none is not a checkpoint: No such file
3 | RUN --model pairs | can't read
3 | RUN --model pickled | may be a pickle
3 | RUN --model other | this run needs hanoi/stack
3 | RUN --model strange | needs the backend 'nobody'
4 | run -d divider -n 1 --model reference -x cached | Divider 'divider' raised ZeroDivisionError in apply at step 1
4 | RUN --model raiser | Scripted 'scripted' raised ValueError in complete at step 1: no idea
130 | RUN --model ctrl-c | interrupted
3 | run --resume moves.txt | was rejected: it is not an SQLite file
3 | run --resume none | No such file
2 | RESUME -d pancake | --domain can't change in a run that is resumed: it is hanoi; leave it out
2 | RESUME -m tape | --memory can't change in a run that is resumed: it is pda
2 | RESUME -a inline | --arith can't change in a run that is resumed: it is symbolic
2 | RESUME -n 5 | --n can't change in a run that is resumed: it is 4
2 | RESUME --seed 5 | --seed can't change in a run that is resumed: it is 0
2 | RESUME -x sequential | --executor can't change in a run that is resumed: it is auto
2 | RESUME --problem - | --problem can't be combined with --resume; leave it out
2 | RESUME --save new | --save can't be combined with --resume; leave it out
2 | RESUME --watch | --watch can't be combined with --resume; leave it out
2 | RESUME --deterministic | --deterministic can't be combined with --resume
2 | RESUME --max-steps 2 | the limit would be 2; raise --max-steps
2 | RESUME --arith-model reference | symbolic arithmetic calls no model; leave out --arith-model
3 | RESUME --model rogue | recorded with another model: 'reference' (name 'reference'); this one is 'rogue' (name
2 | trace -d hanoi -n 40 | the limit is 100,000,000
2 | RUN -m tape --arith-model reference | symbolic arithmetic calls no model; leave out --arith-model
2 | RUN -m tape -a learned --arith-model x | unknown model 'x', and no folder of that name; choose from
3 | RUN -m tape -a learned --arith-model ./none | none is not a checkpoint
2 | PANCAKE --exhaustive --instances 3 | --exhaustive runs every problem
2 | PANCAKE --exhaustive --split train | --exhaustive runs every problem
2 | PANCAKE -n 0-3 | no problem of size n=0
2 | PANCAKE -n 5-1001 | no problem of size n=1001
2 | PANCAKE -n 5-4 | is empty
2 | PANCAKE -n 1,,2 | is not a list of sizes; write it like 8, 1-20 or 1-3,5
2 | EVAL -n 1-40 | steps, the limit is
2 | PANCAKE -n 9 --optimal | too many to search
2 | PANCAKE --split both | --split
2 | PANCAKE --instances 1000001 | it must be from 1 to 1,000,000, not 1,000,001
2 | eval -d queue -m tape -a inline | use --model reference
2 | EVAL --no-runs --optimal --csv new | --no-runs can't be combined with --csv, --optimal; leave one out
2 | EVAL --no-runs -n 1-40 -m tape -a inline | steps, the limit is
2 | EVAL --exactness -n 1-40 | steps, the limit is
2 | EVAL --data pairs -d pancake | but this setting uses pancake/stack
3 | EVAL --data other | can't read
2 | EVAL --data pairs --plot new.svg | --data can't be combined with --plot
2 | EVAL --plot new.pdf | must end in .png or .svg
5 | EVAL --plot none/new.svg | No such file or directory
5 | EVAL --csv none/rows.csv | rows.csv
2 | EVAL --csv new.svg --plot new.svg | --plot and --csv name the same file
2 | eval -d hanoi --problems moves.txt -n 3 | --problems names the problems
2 | eval -d hanoi --problems moves.txt --split all | --problems names the problems
2 | EVAL --plan-format json | --plan-format needs --plans
2 | eval -d hanoi --problems one.txt --plans new --expect unsolvable | --plans keeps plans, and none are expected
2 | EVAL --plans new | --plans keeps the plans of your own problems
2 | PANCAKE --jobs 0 | it must be from 1 to 1,024, not 0.
4 | EVAL --model raiser | raised ValueError
4 | EVAL --model raiser --exactness | raised ValueError: no idea
2 | eval -d hanoi -m tape --addresses 0-9 | symbolic arithmetic calls no model; choose --arith learned
2 | SUMS -m pda --addresses 0-9 | on pda there are no addresses
2 | SUMS --addresses 9-0 | '9-0' is not a range of addresses; write it like 0
2 | SUMS --addresses 1-100000001 | addresses; check a part of them
2 | SUMS --addresses 0-9 --exactness | --addresses can't be combined with --exactness; leave one out
2 | SUMS --addresses 0-9 --plot new.svg --exhaustive | --addresses can't be combined with --exhaustive, --plot
2 | TRAIN --holdout 1 | leaves nothing to train on
2 | TRAIN --preset huge | unknown preset 'huge'
2 | TRAIN --set lr | --set: 'lr' sets nothing; write NAME=VALUE
2 | TRAIN --set lr=1 --set lr=2 | --set: 'lr' is given twice; leave one out
5 | TRAIN --set full=1 | the disk is full
2 | TRAIN --model reference | the model 'reference' can't be trained
2 | TRAIN --model parot | unknown model 'parot'; did you mean 'parrot'?
2 | TRAIN -m tape -a inline -n 1-40 | this problem takes 1,649,267,441,662 steps
2 | TRAIN --instances 0 | it must be from 1 to 1,000,000, not 0
2 | train -d hanoi -o new --test-instances 3 | --test-instances is of use with --test-n only
2 | train -d hanoi -o new --test-n 65 | n=65
2 | TRAIN -m tape -a inline --test-n 40 | steps, the limit is
2 | train -d hanoi -o new --largest-address 9999 | a domain determines its addresses, so --largest-address can't be
2 | train --preset arithmetic -o new --largest-address 998 | it must be at least 999
2 | train --preset arithmetic -o new -m pda | address arithmetic has no domain, so --memory can't be given; leave it out
2 | train --model parrot -o new | there is nothing to train on; name a --domain, or a dataset with --data
2 | train --data pairs -o new -n 1-20 | a dataset has its pairs already, so --n can't be given; leave it out
2 | train --data pairs -o new --holdout 0 | a dataset has its pairs already, so --holdout can't be given; leave it out
3 | train --data other -o new | card.json: No such file
2 | BUILD --holdout-by size | 'size' is not one of
2 | BUILD -n 1-999999999999 | '1-999999999999' names more than 10,000 sizes; choose fewer
2 | BUILD -o other | already exists and is not a dataset
3 | data verify other | card.json: No such file or directory
2 | replay ten.run --step 11 | it has steps 0 to 10
2 | replay ten.run --step -1 | it has steps 0 to 10
2 | replay ten.run --end --step 1 | give only one of them
3 | replay cut.db | cut.db
2 | view ten.run -o new --to 11 | it has steps 0 to 10
2 | view ten.run -o new --from 5 --to 4 | --from 5 is after --to 4
2 | view ten.run -o ten.run | -o and RUN name the same file, ten.run; choose another
2 | view ten.run -o ten.run-wal | -o and RUN name the same file
5 | view ten.run -o none/page | can't write the page
3 | diff ten.run moves.txt | moves.txt
3 | diff none ten.run | none
2 | certify -d hanoi --model reference -o new | gives no logit margins
2 | certify -d hanoi -n 65 -o new | no problem of size n=65
2 | certify -d blocks -m pda -n 2 -o new | no trained model ships
5 | certify -d hanoi -n 1 -o pairs | pairs
2 | plan seven.plan --action 0 | the plan has no action 0; it has 7 actions
2 | plan seven.plan --from 8 | the plan has no action 8; it has 7 actions
2 | plan seven.plan --state 8 | the plan has no state after 8 actions; it has 7
2 | plan seven.plan --action 1 --state 1 | give one of them
2 | plan seven.plan --action 1 --to 1 | give one of them
3 | plan moves.txt | is not a plan as a grammar; `--plan-format grammar` writes one; `coc validate` checks plans
3 | plan none | can't read
2 | fuzz -x cached --examples 999999999999999999 | it must be from 1 to 1,000,000,000
"""
CASES = [[part.strip() for part in line.split(" | ")] for line in REFUSALS.strip().splitlines()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a run, one that was cut off, a plan as a grammar, a dataset, broken checkpoints and other files."""
    path = tmp_path_factory.mktemp("refusals")
    hanoi = ["run", "-d", "hanoi", "--model", "reference", "-n"]
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.chdir(path)
        assert main([*hanoi, "3", "--save", "ten.run"]) == 0
        assert main([*hanoi, "3", "--plan", "seven.plan", "--plan-format", "grammar"]) == 0
        assert main(["data", "build", "-d", "hanoi", "-n", "1-3", "-o", "pairs"]) == 0
        legal, count = Hanoi.apply, iter(range(99))
        monkeypatch.setattr(
            Hanoi, "apply", lambda *given: (next(count) == 4 and signal.raise_signal(signal.SIGINT)) or legal(*given)
        )
        assert main([*hanoi, "4", "--save", "cut.run"]) == 130
    for name, config in (
        ("pickled", "{}"),
        ("other", '{"backend": "parrot", "dialects": ["hanoi/linked/numeric"]}'),
        ("strange", '{"backend": "nobody", "dialects": ["hanoi/stack"]}'),
    ):
        (path / name).mkdir()
        (path / name / "config.json").write_text(config)
    (path / "pickled" / "model.bin").touch()
    (path / "moves.txt").write_text("Move disk 1 from 1 to 3\n")
    (path / "one.txt").write_text("n=1 src=1 dst=3\n")
    (path / "cut.db").write_bytes(b"SQLite format 3\0" + b"\0" * 200)
    return path


@pytest.mark.parametrize(("code", "words", "text"), CASES, ids=[words for _, words, _ in CASES])
def test_it_is_refused_in_one_line_and_nothing_is_written(
    refused, with_plugins, folder, monkeypatch, code, words, text
):
    with_plugins(("fakes", "tests.support.fake_plugin"))
    monkeypatch.chdir(folder)
    monkeypatch.delenv("COC_DEVICE", raising=False)
    for name, full in SHORT.items():
        words = words.replace(name, full)
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    assert text in refused(int(code), *shlex.split(words))
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before
