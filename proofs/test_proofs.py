"""The machine and the rules that the proofs are about, compared with coc's, and changes that no proof may survive."""

import json
import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import coc_core as coc
from coc_core.errors import ActionFault
from coc_core.plugin import Registry
from coc_core.setting import Setting
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


# ── Hanoi on a stack ──────────────────────────────────────────────────────────────────────────────────────────────────

HANOI = ("Machine", "Stack", "Hanoi", "HanoiProof")
HANOI_IMPORTS = "Require Import List String Machine Stack Hanoi. Import ListNotations. Open Scope string_scope.\n"
HANOI_SETTING = Setting.of(Registry.installed(), "hanoi", "pda", "symbolic")


def hanoi_targets(largest):
    """The policy's target for each prompt of up to so many disks."""
    convention, found = HANOI_SETTING.convention, {}
    problems = [HANOI_SETTING.domain.problem(n) for n in range(1, largest + 1)]
    left = [convention.prompt(convention.first_window(problem)) for problem in problems]
    while left:
        if (prompt := left.pop()) not in found:
            found[prompt] = convention.target_for(prompt)
            left += convention.certain_prompts(found[prompt])
    return found


def hanoi_mutants(largest):
    """Prompts with another target, in a drawn order."""
    found = []
    for prompt, target in hanoi_targets(largest).items():
        others = [*changes(target), target.removesuffix("\n" + target.split("\n")[-1]), target.replace("PUSH ", "")]
        for number in re.finditer(r"\d+", target):
            others += [target[: number.start()] + digit + target[number.end() :] for digit in "1234"]
        lines = target.split("\n")
        others += ["\n".join(lines[::-1]), "\n".join([*lines, lines[0]])]
        found += [(prompt, other) for other in dict.fromkeys(others) if other != target]
    random.Random(5).shuffle(found)
    return found


HANOI_PLAYED = """
Fixpoint played (model : string -> option string) (fuel : nat) (stack : list string) (pegs : state)
  : list (string * list string) * option (list (list nat)) :=
  match fuel, stack with
  | _, [] => ([], Some (map pegs [1; 2; 3]))
  | S m, instruction :: _ =>
      match step model stack with
      | Some (actions, new) =>
          match play pegs actions with
          | Some next => let (seen, final) := played model m new next in
              (("INSTR " ++ instruction, actions) :: seen, final)
          | None => ([], None) end
      | None => ([], None) end
  | _, _ => ([], None) end.
Definition changed prompt target p := if p =? prompt then Some target else lookup p table.
Definition of_disks n model := played model 60 [first_instruction n] (put (fun _ => []) 1 (tower n)).
"""


def hanoi_runs(cases):
    """Runs of coc's machine with one target changed, or none, as examples that Coq computes; and how they end."""
    right, out, ends = hanoi_targets(5), [], set()
    for n, prompt, target in cases:
        trace = []
        machine = HANOI_SETTING.machine(HANOI_SETTING.domain.problem(n), [trace.append])
        machine.assume(deterministic=False)  # no endless loop is found before the last step
        machine.run((right | {prompt: target}).get, 60)
        ends.add(machine.fault.kind if machine.fault else "halted" if machine.peek() is None else "unended")
        halted = machine.fault is None and machine.peek() is None
        piles = [[disk for disk, at in enumerate(machine.state, 1) if at == peg] for peg in (1, 2, 3)]
        seen = "; ".join(
            f'("{step.prompt}", {written([HANOI_SETTING.domain.actions.format(each) for each in step.actions])})'
            for step in trace
        )
        # An instruction that isn't one is refused by coc when it is written, and here when it is to be run.
        steps = f"firstn {len(trace)} seen" if machine.fault and machine.fault.kind == "protocol" else "seen"
        out.append(f'Goal (let (seen, final) := of_disks {n} (changed "{prompt}" "{target}") in ({steps}, final)) =')
        out.append(
            f"([{seen}], {f'Some {written(piles)}' if halted else 'None'}). Proof. vm_compute. reflexivity. Qed."
        )
    return "\n".join([HANOI_IMPORTS, table(right), HANOI_PLAYED, *out]), ends


def test_a_run_on_a_stack_is_that_of_coc(tmp_path):
    compiled(tmp_path, *HANOI[:3])
    text, ends = hanoi_runs([(n, "", "") for n in range(1, 6)])
    assert ends == {"halted"}
    done = coqc(tmp_path, "Runs", text)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_runs_on_a_stack_with_a_changed_target_are_those_of_coc(tmp_path):
    compiled(tmp_path, *HANOI[:3])
    text, ends = hanoi_runs([(3, *change) for change in hanoi_mutants(3)[:200]])
    assert ends >= {"halted", "action", "protocol", "unended"}
    done = coqc(tmp_path, "Runs", text)
    assert done.returncode == 0, done.stderr


def hanoi_policy(folder, name, largest, tables):
    """Coq's verdict that the lemma about a table holds, or does not."""
    out = [HANOI_IMPORTS.replace("Hanoi.", "Hanoi HanoiProof.")]
    for number, (targets, right) in enumerate(tables):
        out.append(table(targets).replace("table", f"table{number}", 1))
        out.append(
            f"Goal policy table{number} {largest} [first] = {str(right).lower()}. Proof. vm_compute. reflexivity. Qed."
        )
    return coqc(folder, name, "\n".join(out))


@pytest.fixture(scope="module")
def proved_hanoi(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("hanoi"), *HANOI)


@pytest.mark.slow
def test_the_proof_for_64_disks_goes_through_for_the_targets_of_the_policy(proved_hanoi):
    targets = hanoi_targets(64)
    assert len(targets) == 744
    done = hanoi_policy(proved_hanoi, "Policy", 64, [(targets, True)])
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_no_proof_goes_through_for_a_changed_target_of_hanoi(proved_hanoi, part):
    """With one target changed, or gone, the lemma about the table is false: 10 changes a part."""
    right, changed = hanoi_targets(5), hanoi_mutants(5)[10 * part : 10 * part + 10]
    assert len(changed) == 10
    gone = {prompt: target for prompt, target in right.items() if prompt != changed[0][0]}
    wrong = [right | {prompt: other} for prompt, other in changed]
    done = hanoi_policy(proved_hanoi, f"Mutants{part}", 5, [(right, True), *((each, False) for each in [*wrong, gone])])
    assert done.returncode == 0, done.stderr


HANOI_CHANGES = [
    ("Stack", '"PUSH "', '"WRITE "'),
    ("Stack", '"OUTPUT "', '"ACTION "'),
    ("Stack", '"INSTR "', '"INSTRUCTION "'),
    ("Stack", "(instruction :: stack)", "(stack ++ [instruction])"),
    ("Stack", "Some (action :: actions, new)", "Some (actions, new)"),
    ("Stack", "act false (lines target) rest", "act false (lines target) stack"),
    ("Stack", "runs new rest -> runs stack", "runs stack rest -> runs stack"),
    ("Hanoi", '"Move disk "', '"Move Disk "'),
    ("Hanoi", "(disk <? other)%nat", "(other <? disk)%nat"),
    ("Hanoi", "[] => true", "[] => false"),
    ("Hanoi", "(top =? disk)%nat", "negb (top =? disk)%nat"),
    ("Hanoi", "put pegs src below", "put pegs src (pegs src)"),
    ("Hanoi", "dst (disk :: pegs dst)", "dst (pegs dst)"),
    ("Hanoi", "seq 1 64", "seq 1 3"),
    ("Hanoi", "; (3, 2)]", "]"),
    ("Hanoi", "play new rest", "play pegs rest"),
    ("Hanoi", "3 * 2 ^ (n - 1) - 2", "2 ^ n - 1"),
    ("Hanoi", "(List.concat steps) = 2 ^ n - 1", "(List.concat steps) = 2 ^ n"),
    ("Hanoi", "src=1 dst=3 aux=2", "src=3 dst=1 aux=2"),
    ("Hanoi", "final 2 = []", "final 2 = tower n"),
    ("Hanoi", "final 3 = tower n", "final 3 = rev (tower n)"),
]
"""Each makes the theorem false."""


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(HANOI_CHANGES)))
def test_no_proof_goes_through_for_a_changed_rule_of_hanoi(tmp_path, number):
    changed, before, after = HANOI_CHANGES[number]
    compiled(tmp_path, "Machine")
    for name in HANOI[1:]:
        text = (HERE / f"{name}.v").read_text()
        if name == changed:
            assert text.count(before) == 1
            text = text.replace(before, after)
        done = coqc(tmp_path, name, text)
        if done.returncode:
            assert name == "HanoiProof"
            return
    assert hanoi_policy(tmp_path, "Last", 5, [(hanoi_targets(5), True)]).returncode != 0
