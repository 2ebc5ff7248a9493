"""Public exams of planners: all test problems of the learning track of a planning competition, in the domains coc has.

    git clone https://github.com/ipc2023-learning/benchmarks ipc2023
    python benchmarks/exams.py ipc2023 --jobs 2 --json exams.jsonl

A problem is FOLDER/DOMAIN/testing/*/p01.pddl. Each has a process of its own, and the seconds are from its start to the
written plan. `coc validate`'s rules judge the plan, and so does VAL with `--val`. The score is the competition's: the
sum of the fewest actions known, each divided by those of coc's plan, but at most 1 for a problem. Known are the bounds
in FOLDER/solutions, which are those of solvers for each domain and of the planners that took part.

`--json` gets a row for each problem as soon as it has ended; rows that are there are not computed again.
"""

import argparse
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

import coc_core as coc
from coc_core.errors import CocError, UsageError


def named(problem):
    """The name of a problem, such as `ferry/testing/easy/p01`."""
    return "/".join(problem.with_suffix("").parts[-4:])


def solve(domain, problem, plan, model):
    """Solve a problem in this process; what came of it, as JSON."""
    try:
        solution = coc.solve_pddl(domain, problem, **({"model": model} if model else {}))
    except UsageError as error:
        return {"status": "refused", "why": str(error).partition("\n")[0]}
    if solution.solved:
        solution.write(plan)
    run, memory = solution.run, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return {"status": solution.status, "as": run.setting.domain.name, "steps": run.steps, "mib": memory}


def judge(domain, problem, plan, val):
    """What coc and VAL, if its program is given, say of a plan; and its length."""
    lines = re.findall(r"^\s*(\(.*\))\s*$", plan.read_text(), re.M)
    found = {"actions": len(lines), "valid": coc.validate_pddl(domain, problem, lines).solved}
    if val:
        said = subprocess.run([val, domain, problem, plan], capture_output=True, text=True, check=False).stdout
        found["val"] = "Plan valid" in said
    return found


def bounds(folder):
    """The fewest actions known for each problem, by its name."""
    best = {}
    for file in folder.glob("solutions/upper_bounds*.json"):
        for problem, actions in json.loads(file.read_text()).items():
            name = problem.removesuffix(".pddl")
            best[name] = min(actions or sys.maxsize, best.get(name, sys.maxsize))
    return best


def in_process(limit, *arguments):
    """What a function of this file returns in a process of its own."""
    command = [sys.executable, __file__, "--one", *map(str, arguments)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return {"status": "out of time"}
    return json.loads(done.stdout) if done.returncode == 0 else {"status": "died", "why": done.stderr[-300:]}


def examined(problem, chosen):
    """The row of a problem: what the solver did, and what validators say of its plan."""
    domain = problem.parents[2] / "domain.pddl"
    row = {"domain": domain.parent.name, "problem": named(problem), "reference_policy": chosen.reference}
    with tempfile.TemporaryDirectory() as folder:
        plan, started = Path(folder) / "plan", time.perf_counter()
        row |= in_process(chosen.limit, "solve", domain, problem, plan, "reference" if chosen.reference else "")
        row["seconds"] = round(time.perf_counter() - started, 2)
        return row | in_process(None, "judge", domain, problem, plan, chosen.val) if plan.exists() else row


def taken(folder):
    """Whether coc knows the domain in a folder, by its first problem."""
    problem = min((folder / "testing").glob("*/*.pddl"), default=None)
    try:
        return problem is not None and bool(coc.solve_pddl(folder / "domain.pddl", problem, model="reference"))
    except CocError:
        return False


def table(rows, known):
    """One line for each domain."""
    yield "| domain | problems | solved | actions | known | score | seconds: largest, sum | MiB |"
    yield "|" + "---|" * 8
    for domain in sorted({row["domain"] for row in rows}):
        ours = [row for row in rows if row["domain"] == domain]
        good = [row for row in ours if row.get("valid") and row.get("val", True)]
        pairs = [(row["actions"], known[row["problem"]]) for row in good]
        score = sum(min(1, best / max(1, actions)) for actions, best in pairs)
        seconds, memory = [row["seconds"] for row in ours], max(row.get("mib", 0) for row in ours)
        cells = (len(ours), len(good), *(f"{sum(each):,}" for each in zip((0, 0), *pairs, strict=True)), f"{score:.1f}")
        cells += (f"{max(seconds):,.1f}, {sum(seconds):,.0f}", f"{memory:,}")
        yield f"| {domain} | {' | '.join(map(str, cells))} |"


def main():
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps({"solve": solve, "judge": judge}[sys.argv[2]](*map(Path, sys.argv[3:6]), sys.argv[6])))
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the clone of the repository")
    parser.add_argument("--domains", nargs="+", help="their folders; by default all that coc knows")
    parser.add_argument("--reference", action="store_true", help="the policies in Python, without a model")
    parser.add_argument("--limit", type=float, default=1800, help="seconds for a problem, 1800 as in the competition")
    parser.add_argument("--jobs", type=int, default=1, help="how many problems at once")
    parser.add_argument("--val", default="", help="VAL's program Validate, which judges the plans, too")
    parser.add_argument("--json", type=Path, help="a file for a row of each problem, which a further run continues")
    chosen = parser.parse_args()
    domains = chosen.domains or [path.parent.name for path in sorted(chosen.folder.glob("*/domain.pddl"))]
    folders = [chosen.folder / name for name in domains if chosen.domains or taken(chosen.folder / name)]
    problems = {named(problem): problem for folder in folders for problem in sorted(folder.glob("testing/*/*.pddl"))}
    if not problems:
        parser.error(f"there are no problems of a domain that coc knows in {chosen.folder}")
    stored = map(json.loads, chosen.json.open()) if chosen.json and chosen.json.exists() else ()
    rows = [row for row in stored if row["problem"] in problems and row["reference_policy"] == chosen.reference]
    left = [problems[name] for name in sorted({*problems} - {row["problem"] for row in rows})]
    columns = TextColumn("{task.description}"), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True)) as progress, ThreadPoolExecutor(chosen.jobs) as pool:
        task = progress.add_task("problems", total=len(left))
        for future in as_completed(pool.submit(examined, problem, chosen) for problem in left):
            rows.append(row := future.result())
            progress.update(task, advance=1, description=f"{row['problem']}: {row['status']}")
            if chosen.json:
                with chosen.json.open("a") as file:
                    print(json.dumps(row), file=file, flush=True)
    print(*table(rows, bounds(chosen.folder)), sep="\n")
    print(*(f"{count} {status}" for status, count in Counter(row["status"] for row in rows).items()), sep=", ")
    return 1 if any(False in (row.get("valid"), row.get("val")) for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
