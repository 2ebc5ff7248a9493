"""Solve four disks, then print each action of the plan with its step, and both states of the puzzle."""

import coc_core as coc


def main() -> None:
    run = coc.run("hanoi", n=4)  # with the trained checkpoint that ships for this setting
    for record in run.trace:
        for action in record.actions:
            print(f"step {record.step:>2}: {action}")
    print(f"{run.status}: {run.steps} steps, {run.outcome.model_calls} model calls")
    for state in (run.initial_state, run.final_state):
        print(run.setting.domain.render(state, width=60))


if __name__ == "__main__":
    main()
