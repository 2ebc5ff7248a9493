"""The machine and the rules that the proofs are about, compared with coc's, and changes that no proof may survive."""

import json
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import coc_core as coc
from coc_core.errors import ActionFault
from coc_puzzles.blocksworld.domain import Move
from coc_puzzles.blocksworld.linked import LinkedSeveralTowers

HERE = Path(__file__).parent
IMPORTS = "Require Import Bool List Arith String Machine BlocksWorld. Import ListNotations. Open Scope string_scope.\n"
pytestmark = [
    pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed"),
]


def coqc(folder, name, text=None):
    if text is not None:
        (folder / f"{name}.v").write_text(text)
    return subprocess.run(["coqc", f"{name}.v"], cwd=folder, capture_output=True, text=True, timeout=1200, check=False)


def compiled(folder, *names):
    for name in names:
        shutil.copy(HERE / f"{name}.v", folder)
        assert coqc(folder, name).returncode == 0
    return folder


def written(value):
    """A list, text or number as Coq has it."""
    return f"[{'; '.join(map(written, value))}]" if isinstance(value, list) else json.dumps(value)


def table(prompts):
    pairs = ";\n".join(f'("{prompt}",\n "{target}")' for prompt, target in prompts.items())
    return f"Definition table : list (string * string) := [\n{pairs}\n]."


def prompts_of(domain):
    """The policy's target for each prompt."""
    found = {}
    for n in (1, 2, 3, 6, 9):
        for seed in range(12):
            run = coc.run(domain, n=n, memory="heap", model="reference", seed=seed)
            found |= {step.prompt: step.target for step in run.trace}
    return found


PLAYED = """
Fixpoint prompts heap n stack : list string :=
  match n, stack with
  | S m, i :: _ => match read heap i with
      | Some s => (let (t, names) := split s in join t (by_place 1 names)) ::
          match step (fun p => lookup p table) heap stack with
          | Some (_, new) => prompts heap m new | None => ["fault"] end
      | None => ["unread"] end
  | _, _ => [] end.
Definition all_prompts (start : list (list nat)) (goal : list nat) : list string :=
  let s := map (map decimal) start in let g := map decimal goal in
  prompts (heap_of s g) (3 * List.length g) [first_instruction s g].
"""


def runs(domain, sizes, seeds):
    """The prompts of some runs, as examples that Coq computes."""
    out = [IMPORTS, table(prompts_of(domain)), PLAYED]
    for n in sizes:
        for seed in range(seeds):
            run = coc.run(domain, n=n, memory="heap", model="reference", seed=seed)
            start, goal = (json.loads(part.partition("=")[2].replace("B", "")) for part in run.problem.split(" & "))
            start = start if start and isinstance(start[0], list) else [start]
            shown = [step.prompt for step in run.trace]
            assert len(shown) == 2 * n
            out.append(f"Goal all_prompts {written(start)} {written(goal)} = {written(shown)}.")
            out.append("Proof. vm_compute. reflexivity. Qed.")
    return "\n".join(out)


def test_a_run_is_that_of_coc(tmp_path):
    compiled(tmp_path, "Machine", "BlocksWorld")
    done = coqc(tmp_path, "Runs", runs("blocksworld-extended", (3,), 2))
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("domain", ["blocksworld", "blocksworld-extended"])
def test_runs_are_those_of_coc(tmp_path, domain):
    compiled(tmp_path, "Machine", "BlocksWorld")
    done = coqc(tmp_path, "Runs", runs(domain, (1, 2, 3, 4, 5, 7, 12, 30), 4))
    assert done.returncode == 0, done.stderr


RULES = """
Definition outcome (start : list (list nat)) (n : nat) (acts : list nat) :=
  let blocks := map decimal (seq 1 n) in
  let plan := map (fun a => "Move block B" ++ decimal a) acts in
  match play blocks (State (under (map (map decimal) start)) 0 None) plan with
  | Some st => Some (map (below st) blocks) | None => None end.
"""


@pytest.mark.slow
def test_the_rules_are_those_of_coc(tmp_path):
    """300 drawn plans, legal and not."""
    domain, rng, out = LinkedSeveralTowers(), random.Random(7), [IMPORTS, RULES]
    verdicts = {True: 0, False: 0}
    for _ in range(300):
        n = rng.randint(1, 5)
        problem = domain._problem(n, rng)
        state, acts, legal = domain.initial(problem), [], True
        for _ in range(rng.randint(0, 2 * n + 2)):
            clear = [block for block in range(1, n + 1) if block not in state.below]
            acts.append(rng.choice(clear) if rng.random() < 0.9 else rng.randint(1, n + 1))
            try:
                state = domain.apply(state, Move(acts[-1]))
            except ActionFault:
                legal = False
                break
        verdicts[legal] += 1
        on = "; ".join("None" if block == 0 else f'Some "{block}"' for block in state.below)
        start = written([list(tower) for tower in problem.start])
        out.append(f"Goal outcome {start} {n} {written(acts)} = {f'Some [{on}]' if legal else 'None'}.")
        out.append("Proof. vm_compute. reflexivity. Qed.")
    assert min(verdicts.values()) > 50
    compiled(tmp_path, "Machine", "BlocksWorld")
    done = coqc(tmp_path, "Rules", "\n".join(out))
    assert done.returncode == 0, done.stderr


def changes(target):
    """Other texts in place of a target."""
    lines = target.split("\n")
    for found in re.finditer(r"B(\d+)", target):
        for number in "123":
            if number != found[1]:
                yield target[: found.start()] + f"B{number}" + target[found.end() :]
    if "rearrange.1" in target:
        yield target.replace("rearrange.1 goal=B1", "rearrange.2")
    if "rearrange.2" in target:
        yield target.replace("rearrange.2", "rearrange.1 goal=B1")
    if len(lines) == 2:
        yield from (lines[0], lines[1], "\n".join(lines[::-1]), f"{target}\n{lines[1]}")
    yield from (f"{lines[0]}\n{target}", f"{target} ", target.replace("Move", "move"), target.replace("OUTPUT ", ""))


@pytest.fixture(scope="module")
def proved(tmp_path_factory):
    """A folder with the machine, the rules and the proof, compiled once."""
    return compiled(tmp_path_factory.mktemp("proofs"), "Machine", "BlocksWorld", "MachineFacts", "BlocksWorldProof")


def mutants(domain):
    """A prompt with another target for it, in a drawn order."""
    right = prompts_of(domain)
    found = [(prompt, other) for prompt, target in right.items() for other in changes(target) if other != target]
    random.Random(3).shuffle(found)
    return right, found


def knowing(folder, name, right, several, changed):
    """Coq's verdict on the table, and that the proof of the lemma about it fails with each target changed."""
    out = [IMPORTS.replace("BlocksWorld.", "BlocksWorld MachineFacts BlocksWorldProof."), table(right)]
    out.append(f"Goal knows table {several}. Proof. every_prompt. Qed.")
    for number, (prompt, other) in enumerate(changed):
        out.append(table(right | {prompt: other}).replace("table", f"table{number}", 1))
        out.append(f"Goal knows table{number} {several}. Proof. Fail (solve [every_prompt]). Abort.")
    return coqc(folder, name, "\n".join(out))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_no_proof_goes_through_for_a_changed_target(proved, part):
    """With one target changed, the lemma about the table has no proof: 80 and 120 changes, 10 a part."""
    domain, several, begin = ("blocksworld", "false", part) if part < 8 else ("blocksworld-extended", "true", part - 8)
    right, found = mutants(domain)
    changed = found[10 * begin : 10 * begin + 10]
    assert len(changed) == 10
    done = knowing(proved, f"Mutants{part}", right, several, changed)
    assert done.returncode == 0, done.stderr


RULE_CHANGES = [
    ('"Move block B"', '"Move block "'),
    ("negb (existsb (String.eqb b) blocks)", "existsb (String.eqb b) blocks"),
    ("is (below st c) b) blocks", "negb (is (below st c) b)) blocks"),
    ("is (below st c) b) blocks", "is (below st b) c) blocks"),
    ("(moves st <? List.length blocks)%nat", "(moves st <=? List.length blocks)%nat"),
    ("(moves st <? List.length blocks)%nat", "(S (moves st) <? List.length blocks)%nat"),
    ("(moves st <? List.length blocks)%nat", "(List.length blocks <? moves st)%nat"),
    ("put (below st) b None", "put (below st) b (top st)"),
    ("put (below st) b None) (S (moves st)) (top st)", "put (below st) b None) (moves st) (top st)"),
    ("put (below st) b None) (S (moves st)) (top st)", "put (below st) b None) (S (moves st)) (Some b)"),
    ("put (below st) b (top st)", "put (below st) b None"),
    ("put (below st) b (top st)) (S (moves st)) (Some b)", "put (below st) b (top st)) (S (moves st)) (top st)"),
    ("else if is (top st) b then None", "else if negb (is (top st) b) then None"),
    ("if c =? b then place else f c", "if c =? b then f c else place"),
    ("below b = hd_error r /\\ standing below r end.", "below b = None /\\ standing below r end."),
    ("standing (below final) (rev goal).", "standing (below final) goal."),
    ("List.length plan = 2 * List.length goal", "List.length plan = List.length goal"),
    ("(fun action => [action]) plan", "(fun action => [action; action]) plan"),
    ("play blocks new rest end.", "play blocks st rest end."),
    ('("below=", lower)', '("under=", lower)'),
]


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(RULE_CHANGES)))
def test_no_proof_goes_through_for_a_changed_rule(tmp_path, number):
    before, after = RULE_CHANGES[number]
    text = (HERE / "BlocksWorld.v").read_text()
    assert text.count(before) == 1
    compiled(tmp_path, "Machine")
    assert coqc(tmp_path, "BlocksWorld", text.replace(before, after)).returncode == 0
    for name in ("MachineFacts", "BlocksWorldProof"):
        shutil.copy(HERE / f"{name}.v", tmp_path)
        done = coqc(tmp_path, name)
        if done.returncode:
            return
    out = IMPORTS.replace("BlocksWorld.", "BlocksWorld MachineFacts BlocksWorldProof.") + table(
        prompts_of("blocksworld")
    )
    assert coqc(tmp_path, "Last", f"{out}\nGoal knows table false. Proof. every_prompt. Qed.").returncode != 0


CHECKPOINT = HERE.parent / "plugins" / "coc_puzzles" / "blocksworld" / "checkpoints" / "blocksworld-heap"


@pytest.fixture(scope="module")
def layers(tmp_path_factory):
    """A folder with all that the computations need but weights, compiled once; and the prompts and targets."""
    folder = tmp_path_factory.mktemp("layers")
    rules = [{"prompt": prompt, "target": target} for prompt, target in prompts_of("blocksworld").items()]
    (folder / "certificate").write_text(json.dumps({"dialect": "blocksworld/heap-2/symbolic", "rules": rules}))
    listed = re.search(r"^layers=\((.*)\)", (HERE / "check.sh").read_text(), re.MULTILINE)[1]
    compiled(folder, "Machine", "BlocksWorld", "MachineFacts", "BlocksWorldProof", *listed.split())
    assert coqc(folder, "Table", script("make_table", folder / "certificate")).returncode == 0
    return folder, rules


def script(name, *arguments):
    made = [sys.executable, HERE / f"{name}.py", *arguments]
    return subprocess.run(made, capture_output=True, text=True, check=True).stdout


def decided(folder, checkpoint, number, verdict):
    """Assert what Coq computes of a prompt with a checkpoint's weights. How far they stretch is believed."""
    weights = script("make_weights", folder / "certificate", checkpoint)
    shorter = re.sub(r"(_rows : [^=]* := ).*?\.\n", r"\1[].\n", weights, flags=re.DOTALL)
    assert coqc(folder, "Weights", shorter).returncode == 0
    compiled(folder, "Checks")
    goal = f"Require Import Checks.\nGoal decided {number} = {verdict}. Proof. vm_compute. reflexivity. Qed."
    done = coqc(folder, "Decided", goal)
    assert done.returncode == 0, done.stderr


def changed(rng, name, model, examples):
    """A tensor with one number changed until the model writes another target for a prompt: both, and the prompt."""
    right = model.weights[name]
    for size in (1, 2, 4, 8, 16, 32):
        for _ in range(50):
            rows = {"positions.0.weight": 8, "positions.1.weight": 3}.get(name, len(right))
            place = rng.randrange(rows), *(rng.randrange(length) for length in right.shape[1:])
            model.weights[name] = right.copy()
            model.weights[name][place] += rng.choice([-size, size])
            wrong = [number for number, margin in enumerate(model.margins(examples)) if margin < -0.01]
            other, model.weights[name] = model.weights[name], right
            if wrong:
                return other, wrong[-1]
    raise AssertionError(name)


def copied(folder, name, tensor):
    """A copy of the checkpoint with another tensor."""
    shutil.copytree(CHECKPOINT, folder, ignore=shutil.ignore_patterns("SHA256SUMS"))
    data = bytearray((folder / "model.safetensors").read_bytes())
    length = int.from_bytes(data[:8], "little")
    begin, end = (8 + length + at for at in json.loads(data[8 : 8 + length])[name]["data_offsets"])
    data[begin:end] = tensor.astype("<f4").tobytes()
    (folder / "model.safetensors").write_bytes(data)
    return folder


@pytest.mark.slow
def test_a_target_is_decided(layers):
    decided(layers[0], CHECKPOINT, 6, "true")


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_no_target_is_decided_that_the_model_does_not_write(layers, monkeypatch, tmp_path, part):
    """20 tensors with one number changed, each so that the model writes another target."""
    monkeypatch.syspath_prepend(str(HERE.parent / "examples"))
    from certificate.checkpoint import Checkpoint
    from certificate.model import Model

    folder, rules = layers
    model, rng = Model(Checkpoint(CHECKPOINT)), random.Random(part)
    examples = [model.example(rule, "blocksworld/heap-2/symbolic") for rule in rules]
    assert model.margins(examples).min() > 9
    names = [name for name in sorted(model.weights) if name not in ("blocks.1.up.bias", "blocks.1.down.bias")]
    for name in names[part:20:4]:
        tensor, number = changed(rng, name, model, examples)
        decided(folder, copied(tmp_path / name, name, tensor), number, "false")
