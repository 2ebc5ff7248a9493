"""The machine and the rules that the proofs are about, compared with coc's, and changes that no proof may survive."""

import json
import random
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest

from coc_algorithms.sort import Put
from coc_core.errors import ActionFault, PluginError
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_problems import every_prompt
from coc_puzzles.blocksworld.domain import Move
from coc_puzzles.pancake.domain import FlipFrom, FlipInto

HERE = Path(__file__).parent
IMPORTS = (
    "Require Import Bool List Arith Ascii String Machine. Require BlocksWorld Pancake Sort. Import ListNotations.\n"
)
IMPORTS += "Open Scope string_scope.\n"
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
    """A list, pair, text or number as Coq has it."""
    match value:
        case list():
            return f"[{'; '.join(map(written, value))}]"
        case tuple():
            return f"({', '.join(map(written, value))})"
    return json.dumps(value)


def table(prompts):
    pairs = ";\n".join(f'("{prompt}",\n "{target}")' for prompt, target in prompts.items())
    return f"Definition table : list (string * string) := [\n{pairs}\n]."


def on_heap(domain):
    return Setting.of(Registry.installed(), domain, "heap", "symbolic")


def traced(setting, problem, changed, most):
    """The steps of a run with changed targets, and how it ended: a kind of fault, "halted", or None if it went on."""
    trace = []
    machine = setting.machine(problem, [trace.append])
    machine.assume(deterministic=False)  # no endless loop is found before the last step

    def model(prompt):
        with suppress(PluginError):  # the program itself goes wrong
            return changed[prompt] if prompt in changed else setting.convention.target_for(prompt)

    machine.run(model, most)
    return trace, machine.fault.kind if machine.fault else "halted" if machine.peek() is None else None


BEGIN = {
    "blocksworld": ("BlocksWorld", "(map (map decimal) {}) (map decimal {})"),
    "blocksworld-extended": ("BlocksWorld", "(map (map decimal) {}) (map decimal {})"),
    "pancake": ("Pancake", "(map decimal {}) (map decimal {})"),
    "sort": ("Sort", "{}"),
}
"""The file that says what code writes before the first step, and what it is given."""


def begin(setting, problem):
    """The state that a run begins with: as code writes it by Coq's definition, if there is one, and as coc writes it."""
    window = f"loaded {written(setting.convention.first_window(problem).split(chr(10)))}"
    if setting.domain.name not in BEGIN:
        return window, window
    module, values = BEGIN[setting.domain.name]
    text = setting.domain.problems.format(problem)
    found = [json.loads(re.sub("[A-Z](?=[0-9])", "", part.rpartition("=")[2])) for part in text.split(" & ")]
    if setting.domain.name == "blocksworld":
        found[0] = [found[0]]
    return f"{module}.begin {values.format(*map(written, found))}", window


PLAYED = """
Fixpoint played model (fuel : nat) (st : state) : list (string * list string) * bool :=
  match fuel, stack st with
  | _, [] => ([], true)
  | S less, instruction :: _ =>
      match read st instruction, step letters notes compared model st with
      | Some t, Some (done, new) =>
          let prompt := join t (map decimal (numbered compared (List.length t) t (seq 1 (List.length (numbers t))))) in
          let (seen, halted) := played model less new in
          ((prompt, map (fun a => join a (numbers a)) done) :: seen, halted)
      | _, _ => ([], false)
      end
  | _, _ => ([], false)
  end.
Definition loaded (window : list string) : state :=
  fold_left (fun st s => match line_of letters notes ("WRITE " ++ s) with
    | Some (Record c n written) =>
        State (stack st) (fun name => if same name (c, n) then Some written else heap st name) (S (count st))
    | Some (Instruction t) => State [t] (heap st) (count st)
    | _ => st end) window (State [] (fun _ => None) 0).
Definition seen (st : state) :=
  (stack st, count st, map (fun c => map (fun n => heap st (c, decimal n)) (seq 1 (S (count st)))) letters).
Definition changed prompt target p := if p =? prompt then Some target else lookup p table.
"""


def runs(domain, cases):
    """Runs with one target changed, or none, as examples that Coq computes; and how they end."""
    setting, ends, right, compared, out = on_heap(domain), set(), {}, {}, []
    for problem, prompt, target in cases:
        trace, end = traced(setting, problem, {prompt: target}, 2000)
        ends.add(end)
        right |= {step.prompt: setting.convention.target_for(step.prompt) for step in trace}
        for like in {text for step in trace for text in setting.convention.prompts_like(step.prompt)}:
            compared[like] = [*map(tuple, setting.convention.compared(like))]
        seen = [(step.prompt, [setting.domain.actions.format(each) for each in step.actions]) for step in trace]
        # What no instruction is, is refused by coc when it is written, and illegal actions by the rules.
        found = f"(firstn {len(trace)} seen, false)" if end in ("protocol", "action") else "(seen, halted)"
        (state, window), halted = begin(setting, problem), str(end == "halted").lower()
        if state != window:
            out.append(f"Goal seen ({state}) = seen ({window}). Proof. vm_compute. reflexivity. Qed.")
        out.append(f'Goal (let (seen, halted) := played (changed "{prompt}" "{target}") 2000 ({state}) in {found})')
        out.append(f"  = ({written(seen)}, {halted}). Proof. vm_compute. reflexivity. Qed.")
    letters = "; ".join(f'"{letter}"%char' for letter in sorted(setting.domain.interchangeable_names))
    notes = [each.template.text for each in setting.domain.notes]
    pairs = " ".join(f'if p =? "{text}" then {written(found)} else' for text, found in compared.items() if found)
    assert not pairs or domain not in BEGIN  # the theorems are about programs that compare none
    dialect = [
        f"Definition letters := [{letters}].",
        f"Definition notes : list string := {written(notes)}.",
        f"Definition compared (p : string) : list (nat * nat) := {pairs} [].",
    ]
    return "\n".join([IMPORTS, table(right), *dialect, PLAYED, *out]), ends


def drawn(domain, sizes, seeds):
    return [(on_heap(domain).domain.problem(n, seed), "", "") for n in sizes for seed in range(seeds)]


@pytest.fixture(scope="module")
def defined(tmp_path_factory):
    """A folder with the machine and the rules, compiled once."""
    return compiled(tmp_path_factory.mktemp("defined"), "Machine", "BlocksWorld", "Pancake", "Sort")


@pytest.mark.parametrize(("domain", "n"), [("blocksworld-extended", 3), ("pancake", 5), ("sort", 4)])
def test_a_run_is_that_of_coc(defined, domain, n):
    text, ends = runs(domain, drawn(domain, [n], 2))
    assert ends == {"halted"}
    done = coqc(defined, "Runs", text)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("domain", BEGIN)
def test_runs_are_those_of_coc(defined, domain):
    text, ends = runs(domain, drawn(domain, (1, 2, 3, 4, 5, 7, 12, 30)[: 7 if domain == "sort" else 8], 4))
    assert ends == {"halted"}
    done = coqc(defined, "Runs", text)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_a_run_of_the_scheme_machine_with_new_records_and_compared_names_is_that_of_coc(defined):
    text, ends = runs("scheme", drawn("scheme", [1], 4)[3:])
    assert ends == {"halted"}
    assert "then [(" in text
    done = coqc(defined, "Runs", text)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("domain", BEGIN)
def test_runs_with_a_changed_target_are_those_of_coc(defined, domain):
    """Also how they end: with a fault, or in an endless loop."""
    problem = on_heap(domain).domain.problem(4, 1)
    text, ends = runs(domain, [(problem, *change) for change in mutants(domain)[1][:60]])
    assert len(ends) > 2
    done = coqc(defined, "Runs", text)
    assert done.returncode == 0, done.stderr


def draw_move(rng, n, state):
    clear = [block for block in range(1, n + 1) if block not in state.below]
    return Move(rng.choice(clear) if rng.random() < 0.9 else rng.randint(1, n + 1))


PLANS = {
    "blocksworld-extended": (
        draw_move,
        "option_map (fun st => map (BlocksWorld.below st) (map decimal (seq 1 {n}))) (BlocksWorld.play"
        " (map decimal (seq 1 {n})) (BlocksWorld.World (BlocksWorld.under (map (map decimal) {start})) 0 None) {plan})",
        lambda problem: [list(tower) for tower in problem.start],
        lambda state: f"[{'; '.join('None' if not each else f'Some (decimal {each})' for each in state.below)}]",
    ),
    "pancake": (
        lambda rng, n, state: rng.choice([FlipFrom, FlipInto])(rng.choice([*range(1, n + 1)] * 4 + [n + 1])),
        "Pancake.play (map decimal (seq 1 {n})) (map decimal {start}) {plan}",
        lambda problem: [*problem.start],
        lambda state: f"map decimal {written([*state])}",
    ),
    "sort": (
        lambda rng, n, state: Put(rng.randint(1, n), rng.choice([*range(1, n + 1)] * 4 + [n + 1])),
        "Sort.play (map decimal {start}) {plan}",
        lambda problem: [*range(1, len(problem.keys) + 1)],
        lambda state: f"map decimal {written([item for item, _ in state])}",
    ),
}
"""How an action is drawn, what comes of a plan, and the start and a state, as Coq has them."""


@pytest.mark.slow
@pytest.mark.parametrize("domain", PLANS)
def test_the_rules_are_those_of_coc(defined, domain):
    """300 drawn plans, legal and not."""
    (draw, outcome, begun, shown), domain = PLANS[domain], on_heap(domain).domain
    rng, verdicts = random.Random(7), {True: 0, False: 0}
    letters = "; ".join(f'"{letter}"%char' for letter in domain.interchangeable_names)
    out = [IMPORTS]
    for _ in range(300):
        n = rng.randint(1, 5)
        problem = domain._problem(n, rng)
        state, texts, legal = domain.initial(problem), [], True
        for _ in range(rng.randint(0, 2 * n + 2)):
            action = draw(rng, n, state)
            texts.append(domain.actions.format(action))
            try:
                state = domain.apply(state, action)
            except ActionFault:
                legal = False
                break
        verdicts[legal] += 1
        plan = f"(map (split [{letters}]) {written(texts)})"
        found = outcome.format(n=n, start=written(begun(problem)), plan=plan)
        out.append(
            f"Goal {found} = {f'Some ({shown(state)})' if legal else 'None'}. Proof. vm_compute. reflexivity. Qed."
        )
    assert min(verdicts.values()) > 50
    done = coqc(defined, "Rules", "\n".join(out))
    assert done.returncode == 0, done.stderr


def changes(target):
    """Other texts in place of a target."""
    lines = target.split("\n")
    for found in re.finditer(r"(?<=[BIP])\d+", target):
        for number in "123":
            if number != found[0]:
                yield target[: found.start()] + number + target[found.end() :]
    for found in re.finditer(r"=[BIP]\d+|=yes|=no|\.\d ", target):
        for other in ("=-", "=yes", "=no", ".1 ", ".2 "):
            if other[0] == found[0][0] and (other[1] in "yn") == (found[0][1] in "yn"):
                yield target[: found.start()] + other + target[found.end() :]
    if "rearrange.1" in target:
        yield target.replace("rearrange.1 goal=B1", "rearrange.2")
    if "rearrange.2" in target:
        yield target.replace("rearrange.2", "rearrange.1 goal=B1")
    if len(lines) > 1:
        yield "\n".join(lines[::-1])
    for number, line in enumerate(lines):
        if line.split(" ")[0] in ("OUTPUT", "WRITE", "PUSH", "RETURN"):  # a note does nothing
            yield "\n".join([*lines[:number], *lines[number + 1 :]])
            yield "\n".join([*lines[: number + 1], *lines[number:]])
    yield from (f"{target} ", target.replace("Move", "move"), target.replace("OUTPUT ", ""))


KNOWS = {
    "blocksworld": ("BlocksWorld", "knows {} false"),
    "blocksworld-extended": ("BlocksWorld", "knows {} true"),
    "pancake": ("Pancake", "knows {}"),
    "sort": ("Sort", "knows {}"),
}
"""The rules of each domain, and the lemma that depends on a table."""


@pytest.fixture(scope="module")
def proved(defined):
    """A folder with the proofs, too."""
    return compiled(defined, "MachineFacts", "BlocksWorldProof", "PancakeProof", "SortFacts", "SortProof")


@cache
def mutants(domain):
    """All prompts with their targets; and prompts that runs have, each with another target, in a drawn order."""
    setting = on_heap(domain)
    right = {pair.prompt: pair.target for pair in every_prompt(setting.convention).pairs}
    met = {}
    for problem, _, _ in drawn(domain, (1, 2, 3, 6, 9), 12):
        trace, _ = traced(setting, problem, {}, 10_000)
        met |= {step.prompt: right[step.prompt] for step in trace}
    found = [(prompt, other) for prompt, target in met.items() for other in {*changes(target)} - {target}]
    found.sort()
    random.Random(3).shuffle(found)
    return right, found


def knowing(folder, name, domain, right, changed):
    """Coq's verdict on the table, and that the proof of the lemma about it fails with each target changed."""
    rules, lemma = KNOWS[domain]
    out = [IMPORTS, f"Require Import {rules} MachineFacts {rules}Proof.", table(right)]
    out.append(f"Goal {lemma.format('table')}. Proof. every_prompt. Qed.")
    for number, (prompt, other) in enumerate(changed):
        out.append(table(right | {prompt: other}).replace("table", f"table{number}", 1))
        out.append(f"Goal {lemma.format(f'table{number}')}. Proof. Fail (solve [every_prompt]). Abort.")
    return coqc(folder, name, "\n".join(out))


PARTS = [(domain, part) for domain, parts in zip(KNOWS, (8, 12, 8, 8), strict=True) for part in range(parts)]


@pytest.mark.slow
@pytest.mark.parametrize(("domain", "part"), PARTS)
def test_no_proof_goes_through_for_a_changed_target(proved, domain, part):
    """With one target changed, the lemma about the table has no proof: 10 changes a part."""
    right, found = mutants(domain)
    changed = found[10 * part : 10 * part + 10]
    assert len(changed) == 10
    done = knowing(proved, "Mutants", domain, right, changed)
    assert done.returncode == 0, done.stderr


RULE_CHANGES = [
    ("blocksworld", '"Move block "', '"Move Block "'),
    ("blocksworld", "negb (existsb (String.eqb b) blocks)", "existsb (String.eqb b) blocks"),
    ("blocksworld", "is (below st c) b) blocks", "negb (is (below st c) b)) blocks"),
    ("blocksworld", "is (below st c) b) blocks", "is (below st b) c) blocks"),
    ("blocksworld", "(moves st <? List.length blocks)%nat", "(moves st <=? List.length blocks)%nat"),
    ("blocksworld", "(moves st <? List.length blocks)%nat", "(S (moves st) <? List.length blocks)%nat"),
    ("blocksworld", "(moves st <? List.length blocks)%nat", "(List.length blocks <? moves st)%nat"),
    ("blocksworld", "put (below st) b None", "put (below st) b (top st)"),
    ("blocksworld", "put (below st) b None) (S (moves st)) (top st)", "put (below st) b None) (moves st) (top st)"),
    ("blocksworld", "put (below st) b None) (S (moves st)) (top st)", "put (below st) b None) (S (moves st)) (Some b)"),
    ("blocksworld", "put (below st) b (top st)", "put (below st) b None"),
    (
        "blocksworld",
        "put (below st) b (top st)) (S (moves st)) (Some b)",
        "put (below st) b (top st)) (S (moves st)) (top st)",
    ),
    ("blocksworld", "else if is (top st) b then None", "else if negb (is (top st) b) then None"),
    ("blocksworld", "if c =? b then place else f c", "if c =? b then f c else place"),
    ("blocksworld", "below b = hd_error r /\\ standing below r end.", "below b = None /\\ standing below r end."),
    ("blocksworld", "standing (below final) (rev goal).", "standing (below final) goal."),
    ("blocksworld", "List.length plan = 2 * List.length goal", "List.length plan = List.length goal"),
    ("blocksworld", "(fun action => [action]) plan", "(fun action => [action; action]) plan"),
    ("blocksworld", "play blocks new rest end.", "play blocks st rest end."),
    ("blocksworld", '("below", lower)', '("under", lower)'),
    ("pancake", '" is located."', '" is Located."'),
    ("pancake", '" must be located."', '" must be."'),
    ("pancake", "then index p pile", "then index p goal"),
    ("pancake", "then index p goal", "then index p pile"),
    ("pancake", "Some (S k)", "Some k"),
    ("pancake", "firstn k pile ++ rev (skipn k pile)", "rev (firstn k pile) ++ skipn k pile"),
    ("pancake", "firstn k pile ++ rev (skipn k pile)", "pile"),
    ("pancake", 'last start ""', 'hd "" start'),
    ("pancake", "next (rev start) p", "next start p"),
    ("pancake", '("above", above)', '("over", above)'),
    ("pancake", "<= 2 * List.length goal", "<= List.length goal"),
    ("pancake", "(List.concat steps) = Some goal", "(List.concat steps) = Some (rev goal)"),
    ("sort", '"Put "', '"put "'),
    ("sort", "negb (a =? b)", "(a =? b)"),
    ("sort", "negb nearly", "nearly"),
    ("sort", "next row a with Some c => c =? b", "next row b with Some c => c =? a"),
    ("sort", "then [a; b]", "then [b; a]"),
    ("sort", "if x =? a then [] else", ""),
    ("sort", 'if one then "yes" else "no"', 'if one then "no" else "yes"'),
    ("sort", '("one", ', '("bit", '),
    ("sort", "if (i =? m)%nat then None", "if (i <? m)%nat then None"),
    ("sort", "(bits - (i - 1) / m)", "((i - 1) / m)"),
    ("sort", "key keys i < key keys j", "key keys j < key keys i"),
    ("sort", "key keys i = key keys j /\\ i < j", "key keys i = key keys j /\\ j < i"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("domain", "before", "after"), RULE_CHANGES)
def test_no_proof_goes_through_for_a_changed_rule(tmp_path, domain, before, after):
    rules = KNOWS[domain][0]
    text = (HERE / f"{rules}.v").read_text()
    assert text.count(before) == 1
    compiled(tmp_path, "Machine", "MachineFacts")
    assert coqc(tmp_path, rules, text.replace(before, after)).returncode == 0
    proofs = [f"{rules}Facts", f"{rules}Proof"] if rules == "Sort" else [f"{rules}Proof"]
    if all(coqc(tmp_path, each, (HERE / f"{each}.v").read_text()).returncode == 0 for each in proofs):
        assert knowing(tmp_path, "Last", domain, mutants(domain)[0], []).returncode != 0


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


# ── From weights ─────────────────────────────────────────────────────────────────────────────────────────────────────────

CHECKPOINT = HERE.parent / "plugins" / "coc_puzzles" / "blocksworld" / "checkpoints" / "blocksworld-heap"


@pytest.fixture(scope="module")
def layers(tmp_path_factory):
    """A folder with all that the computations need but weights, compiled once; and the prompts and targets."""
    folder = tmp_path_factory.mktemp("layers")
    rules = [{"prompt": prompt, "target": target} for prompt, target in mutants("blocksworld")[0].items()]
    (folder / "certificate").write_text(json.dumps({"dialect": "blocksworld/heap-2/symbolic", "rules": rules}))
    listed = re.search(r"^layers=\((.*)\)", (HERE / "check.sh").read_text(), re.MULTILINE)[1]
    compiled(folder, "Machine", "MachineFacts", "BlocksWorld", "BlocksWorldProof", *listed.split())
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
