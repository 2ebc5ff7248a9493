"""The shipped checkpoints, the settings that they are for, and a sample of each dialect's pairs."""

from itertools import islice, product
from pathlib import Path

from coc_core.plugin import ArithmeticSpec, CheckpointSpec, DomainSpec, MemorySpec
from coc_core.setting import Setting
from coc_learn.addresses.dialect import ADDRESS_DIALECT, address_pairs
from coc_learn.datasets import teacher_pairs
from coc_learn.datasets.pairs import hold_out
from coc_problems import closure
from tests.support.installed_plugins import REGISTRY

PLUGINS = Path(__file__).parents[2] / "plugins"
FOLDERS = {spec: REGISTRY.folder(spec) for spec in REGISTRY.specs(CheckpointSpec)}
SHIPPED = {spec: folder for spec, folder in FOLDERS.items() if PLUGINS in folder.parents}
SAMPLE = 80  # pairs of a dialect
REACH = {"hanoi": 20, "hanoi-4": 20, "blocksworld": 100, "pancake": 100, "river-crossing": 20}
ON_HEAP, REACH_ON_HEAP = {"blocks", "blocksworld", "blocksworld-extended", "pancake"}, 200
PROMPTS = {"blocksworld/heap-2/symbolic": 8, "blocksworld-extended/heap-2/symbolic": 12, "pancake/heap-2/symbolic": 40}
"""How many there are, where all are fewer than a sample."""
PROGRAMS = {
    "maze": 20,
    "maze-dfs": 20,
    "sort": 40,
    "sort-insertion": 40,
    "exact-cover": 9,
    "tiles": 3,
    "rotten-oranges": 20,
}
PROGRAMS |= {
    "logistics": 30,
    "gripper": 40,
    "ferry": 40,
    "miconic": 40,
    "spanner": 40,
    "visit-all": 12,
    "childsnack": 40,
    "rovers": 12,
    "satellite": 40,
    "transport": 40,
    "floortile": 20,
    "sokoban": 12,
    "hanoi-any": 10,
    "scheme": 5,
}
"""The algorithms and the planning domains that are programs, with a large size."""
REACH.update(PROGRAMS)
SAMPLED = {"hanoi": (5, 8, 10), "hanoi-4": (5, 12, 20), "river-crossing": range(1, 21)}

# With an arithmetic model that is always right, so that the planning model is looked at alone.
SETTINGS = [
    Setting.of(REGISTRY, domain.name, memory.name, arith.name, arith_model="reference" if arith.dialect else None)
    for domain, memory, arith in product(
        REGISTRY.specs(DomainSpec), REGISTRY.specs(MemorySpec), REGISTRY.specs(ArithmeticSpec)
    )
    if (domain.name in {*REACH, "blocksworld-extended"} - PROGRAMS.keys() and memory.name in ("pda", "tape"))
    or (domain.name in ON_HEAP | PROGRAMS.keys() and (memory.name, arith.name) == ("heap", "symbolic"))
]
SPOKEN = {dialect: (spec, folder) for spec, folder in SHIPPED.items() for dialect in spec.dialects}


def setting_of(dialect):
    return next(setting for setting in SETTINGS if setting.convention.dialect == dialect)


def reach(setting):
    """The largest size that the model is tested on."""
    if setting.convention.dialect == "hanoi/stack":
        return 64
    on_heap = setting.memory.name == "heap" and setting.domain.name in ON_HEAP
    return REACH_ON_HEAP if on_heap else REACH.get(setting.domain.name, 40)


def sample(dialect):
    """Pairs from all over a dialect, the same at each call."""
    if dialect == ADDRESS_DIALECT:
        return hold_out(list(address_pairs(seed=7, count=20_000)), SAMPLE / 20_000, seed=0)[1]
    setting = setting_of(dialect)
    if dialect == "hanoi/stack" or dialect == "hanoi/linked/symbolic":
        return list(teacher_pairs(setting, [setting.domain.problem(n) for n in range(1, 21)]))
    if setting.domain.name in PROGRAMS:
        return list(closure(setting.convention, [setting.domain.problem(max(2, setting.domain.sizes[0]))]))
    sizes = SAMPLED.get(setting.domain.name, (1, 8, 40))
    problems = [setting.domain.problem(n, seed) for n in sizes for seed in range(40)]
    pairs = list(islice(teacher_pairs(setting, problems), 5_000))
    return pairs if dialect in PROMPTS else hold_out(pairs, 0.5, seed=0)[1][:SAMPLE]
