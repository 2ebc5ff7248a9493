"""The options that several records have."""

from coc_core.options.fields import (
    ADVANCED,
    MACHINE,
    MODEL,
    OUTPUT,
    PROBLEM,
    File,
    Flag,
    Name,
    Option,
    Several,
    Source,
    Whole,
)
from coc_core.types import DEFAULT_SIZE, MOST_PROBLEMS, Limits

MOST_JOBS = 1_024

DOMAIN = Option(
    "Choose the puzzle, such as hanoi. `coc plugins` lists all puzzles.",
    ("--domain", "-d"),
    panel=PROBLEM,
    completes="domains",
)
MEMORY = Option(
    "Choose the memory: pda (a stack), tape, or one from a plugin.",
    ("--memory", "-m"),
    panel=MACHINE,
    shown="the puzzle's own, usually pda",
    completes="memories",
)
ARITH = Option(
    "Choose what computes addresses: symbolic (exactly), learned (a second model) or inline (the model itself).",
    ("--arith", "-a"),
    panel=MACHINE,
    completes="arithmetics",
)
ARITH_MODEL = Option(
    "With --arith learned: choose the model that computes addresses, by name or by folder.",
    ("--arith-model",),
    Name("NAME|DIR"),
    MODEL,
    "the shipped model",
    "checkpoints",
)
SIZE = Option(
    "Set the problem size, such as the number of disks.", ("--n", "-n"), Whole(), PROBLEM, shown=str(DEFAULT_SIZE)
)
SIZES = Option(
    "Set the problem sizes as numbers and ranges, such as 8, 1-20 or 1-3,5.", ("--n", "-n"), Name("SIZES"), PROBLEM
)
INSTANCES = Option(
    "Draw K problems of each size (one if the size has only one).",
    ("--instances",),
    Whole(1, MOST_PROBLEMS, "K"),
    PROBLEM,
)
SEED = Option(
    "Random seed that selects the problem (no effect if the size has only one).", ("--seed",), Whole(), PROBLEM
)
SEEDS = Option(
    "Random seed that selects the problems (no effect for a size with only one).", ("--seed",), Whole(), PROBLEM
)
PROBLEM_FILE = Option(
    "Read the problem, as text or JSON, from a file or (-) from standard input, instead of drawing one.",
    ("--problem",),
    Source(),
    PROBLEM,
)
PROBLEMS = Option(
    "Use your own problems instead: from a .txt or .jsonl file with one problem per line, from the files in a folder,"
    " or from the files that match a pattern such as `'mine/*.json'`.",
    ("--problems",),
    Name("FILE|DIR|PATTERN"),
    PROBLEM,
)
EXHAUSTIVE = Option("Take every problem of each size.", ("--exhaustive",), Flag(), PROBLEM)
CHECKPOINT = Option(
    "Choose the model: a shipped checkpoint by name, any checkpoint by folder, or reference (the puzzle's own"
    " algorithm).",
    ("--model",),
    Name("NAME|DIR"),
    MODEL,
    "the checkpoint that ships for these choices",
    "models",
)
DEVICE = Option(
    "Run the model on this device: cpu, cuda, cuda:1 and so on.",
    ("--device",),
    panel=MODEL,
    shown="the variable COC_DEVICE, or cpu",
)
EXECUTOR = Option(
    "Choose how the loop runs: auto (picks one), cached, lockstep, sequential, speculative, summary, or one from a"
    " plugin, such as vote.",
    ("--executor", "-x"),
    panel=MACHINE,
    completes="executors",
)
MAX_STEPS = Option("Stop a run after N steps.", ("--max-steps",), Whole(1), MACHINE, f"{Limits().steps:,}")
JOBS = Option(
    "Use N worker processes. Results do not depend on N.",
    ("--jobs", "-j"),
    Whole(1, MOST_JOBS),
    shown="1; with --engine, the number of cores",
)
ENGINE = Option(
    "Choose where workers run: processes (on this machine), or an engine from a plugin.",
    ("--engine",),
    shown="processes",
    completes="engines",
)
ENGINE_ADDRESS = Option(
    "Set the address at which the engine finds its workers, if it needs one.", ("--engine-address",), Name("ADDRESS")
)
PLAN_FORMAT = Option(
    "Write the plan in this format: text, physical, json, or a format from a plugin.",
    ("--plan-format",),
    panel=OUTPUT,
    completes="plan_formats",
)
OUT = Option("Write the result to this file.", ("--out", "-o"), File(), OUTPUT, shown=False)
PLOT = Option("Draw the results to this file, an .svg or a .png.", ("--plot",), File(), OUTPUT)
CSV = Option("Write the results to this file, as comma-separated values.", ("--csv",), File(), OUTPUT)
JSON = Option("Print one JSON document, also for an error.", ("--json",), Flag(), OUTPUT)
PLUGINS = Option(
    "Load the plugin in this Python file, too. Repeatable.", ("--plugin",), Several("FILE", kind=File()), ADVANCED
)
