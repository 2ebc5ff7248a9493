"""Solve a puzzle, look at its plan, and see how the plans grow with the size of the problem."""

import coc_core as coc

run = coc.run("pancake", n=12, seed=1)
print(f"{run.status} in {len(run.plan)} actions; the first: {run.plan[0]}")
run.view("pancake.html")

report = coc.evaluate("pancake", sizes=range(5, 21, 3), instances=10)
for row in report.rows:
    length = row["actions"] / row["instances"]
    print(f"n={row['n']:<2} {'█' * round(length)} {length:.1f} actions")
print(report)
