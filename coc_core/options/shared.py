"""The options that several records have."""

from enum import StrEnum

from coc_core.options.fields import (
    ADVANCED,
    MACHINE,
    MODEL,
    OUTPUT,
    PROBLEM,
    Choice,
    DataSource,
    File,
    Flag,
    Name,
    Option,
    Several,
    Whole,
)
from coc_core.types import DEFAULT_SIZE, Limits

DOMAIN = Option("Choose the puzzle, such as hanoi. `coc plugins` lists all puzzles.", ("--domain", "-d"), panel=PROBLEM)
MEMORY = Option(
    "Choose the memory: pda (a stack), tape, or one from a plugin.",
    ("--memory", "-m"),
    panel=MACHINE,
    shown="the puzzle's own, usually pda",
)
ARITH = Option(
    "Choose what computes addresses: symbolic (exactly), learned (a second model) or inline (the model itself).",
    ("--arith", "-a"),
    panel=MACHINE,
)
ARITH_MODEL = Option(
    "With --arith learned: choose the model that computes addresses, by name or by folder.",
    ("--arith-model",),
    Name("NAME|DIR"),
    MODEL,
    "the shipped model",
)
SIZE = Option(
    "Set the problem size, such as the number of disks.", ("--n", "-n"), Whole(), PROBLEM, shown=str(DEFAULT_SIZE)
)
SEED = Option(
    "Random seed that selects the problem (no effect if the size has only one).", ("--seed",), Whole(), PROBLEM
)
PROBLEM_FILE = Option(
    "Read the problem, as text or JSON, from a file or (-) from standard input, instead of drawing one.",
    ("--problem",),
    DataSource(),
    PROBLEM,
)
CHECKPOINT = Option(
    "Choose the model: a shipped checkpoint by name, any checkpoint by folder, or reference (the puzzle's own"
    " algorithm).",
    ("--model",),
    Name("NAME|DIR"),
    MODEL,
    "the checkpoint that ships for these choices",
)
CONSTRAIN = Option(
    "Hold a language model's responses to the grammar of targets: on, auto (if its server can) or off.",
    ("--constrain",),
    Choice(annotation=StrEnum("Constraint", "auto on off")),
    MODEL,
    "off",
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
)
MAX_STEPS = Option("Stop a run after N steps.", ("--max-steps",), Whole(1), MACHINE, f"{Limits().steps:,}")
PLAN_FORMAT = Option(
    "Write the plan in this format: text, json, or a format from a plugin.", ("--plan-format",), panel=OUTPUT
)
OUT = Option("Write the result to this file.", ("--out", "-o"), File(), OUTPUT, shown=False)
PLOT = Option("Draw the results to this file, an .svg or a .png.", ("--plot",), File(), OUTPUT)
CSV = Option("Write the results to this file, as comma-separated values.", ("--csv",), File(), OUTPUT)
JSON = Option("Print one JSON document, also for an error.", ("--json",), Flag(), OUTPUT)
PLUGINS = Option(
    "Load the plugin in this Python file, too. Repeatable.", ("--plugin",), Several("FILE", kind=File()), ADVANCED
)
