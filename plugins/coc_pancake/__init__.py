"""The pancake puzzle, as a plugin."""

from coc_core.hookspecs import CheckpointSpec, DomainSpec, hookimpl


@hookimpl
def coc_domains() -> list[DomainSpec]:
    return [DomainSpec("pancake", factory="coc_pancake.domain:Pancake", summary="sort a stack of pancakes by flips")]


@hookimpl
def coc_checkpoints() -> list[CheckpointSpec]:
    return [
        CheckpointSpec(
            f"pancake-{name}",
            folder=f"coc_pancake:checkpoints/{name}",
            dialects=dialects,
            summary=f"up to 40 pancakes {where}, trained on at most 500 problems of each size",
        )
        for name, dialects, where in (
            ("tape-inline", ("pancake/chain/numeric",), "on a tape whose addresses it computes"),
            (
                "symbolic",
                ("pancake/chain/symbolic", "pancake/stack"),
                "on a stack, or on a tape whose addresses are computed for it",
            ),
        )
    ]
