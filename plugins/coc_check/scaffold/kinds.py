"""The kinds of parts that a new package can offer."""

from typing import Any

from attrs import frozen

from coc_core.plugin import ArithmeticSpec, DomainSpec, ExecutorSpec, MemorySpec, ModelSpec


@frozen
class Kind:
    """A kind of part: the class of its spec, and the arguments of `coc run` that use a part of `{name}`.

    `before` has the commands that come first.
    """

    name: str
    spec: type[Any]
    run: str
    before: tuple[str, ...] = ()


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("domain", DomainSpec, "--domain {name} --model reference"),
        Kind("program", DomainSpec, "--domain {name} --model reference"),
        Kind("memory", MemorySpec, "--domain hanoi --memory {name} --model reference"),
        Kind("arithmetic", ArithmeticSpec, "--domain hanoi --memory tape --arith {name} --model reference"),
        Kind("model", ModelSpec, "--domain hanoi --model {name}"),
        Kind(
            "backend",
            ModelSpec,
            "--domain hanoi --model ./hanoi-{name}",
            (
                "coc train --domain hanoi --n 1-8 --holdout 0 --model {name} --out hanoi-{name}",
                "coc check ./hanoi-{name}",
            ),
        ),
        Kind("executor", ExecutorSpec, "--domain hanoi --executor {name} --model reference"),
    )
}
