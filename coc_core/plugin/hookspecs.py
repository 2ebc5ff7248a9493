"""What a plugin can offer: a hook for each kind of part.

A plugin is a module (or any object) named by an entry point of the group `coc`. Each hook returns a list of frozen
specs. A spec names its factory as a string, `package.module:attribute`, which is imported only when it is used. So the
module of a plugin stays light, and listing the plugins imports none of their dependencies.
"""

import pluggy
from attrs import field, frozen

PROJECT = "coc"
DISTRIBUTION = "chain-of-computation"
DEFAULT_MEMORY = "pda"
hookimpl = pluggy.HookimplMarker(PROJECT)


class Spec:
    """A part that a plugin offers."""

    name: str
    summary: str


@frozen
class DomainSpec(Spec):
    """`factory()` returns a `coc_core.domain.Domain`. `memories` lists the memories it works with; None means all.
    `memory` is the one that it is run on unless another is chosen: by default pda, or the first of those listed if pda
    is not among them.

    Where a memory allows another policy, `policies` has pairs of the memory and the factory to use on it. What that
    returns has the same name, problems, states, actions and plans.

    `plan_formats` lists formats of plans that need not know the domain, since it says itself how it is written in them.
    """

    name: str
    factory: str
    summary: str
    memories: tuple[str, ...] | None = None
    memory: str = field()
    policies: tuple[tuple[str, str], ...] = ()
    plan_formats: tuple[str, ...] = ()

    @memory.default
    def _first_memory(self) -> str:
        names = self.memories or (DEFAULT_MEMORY,)
        return DEFAULT_MEMORY if DEFAULT_MEMORY in names else names[0]

    def factory_on(self, memory: str) -> str:
        """Return the factory to use on a memory."""
        return dict(self.policies).get(memory, self.factory)


@frozen
class MemorySpec(Spec):
    """`factory(limits)` returns a `Memory`, and `convention(domain, notation, limits)` its `Convention`."""

    name: str
    factory: str
    convention: str
    summary: str


@frozen
class ArithmeticSpec(Spec):
    """`factory()` returns a `coc_core.arithmetic.ArithmeticOracle`.

    An oracle that calls a model names the `dialect` that the model must speak; its factory is then called with the
    model, `factory(model)`. It may name a `reference()` that returns a model that is always right.
    """

    name: str
    factory: str
    summary: str
    dialect: str | None = None
    reference: str | None = None


@frozen
class ModelSpec(Spec):
    """`factory(convention)` returns a `coc_core.models.Model` that needs no checkpoint.

    A backend with checkpoints names `opener(folder, config, identity, dialect)` instead, where `identity` lists the
    dialects that the checkpoint speaks and `dialect` is the one that is needed. It may name a `trainer()`
    for `coc train`, which returns a `Trainer`.

    A backend that runs the checkpoints of another one, with another library, names that one: `opens`. Of several, the
    first by name is taken; one that is `cpu_only` is not taken where another device is asked for.

    A backend with many models, such as those behind an endpoint, names `configured(setting, text)`. It is called for
    the choice `NAME:TEXT`; what the text means is the backend's affair.
    """

    name: str
    summary: str
    factory: str | None = None
    configured: str | None = None
    opener: str | None = None
    opens: str | None = None
    cpu_only: bool = False
    trainer: str | None = None


@frozen
class ExecutorSpec(Spec):
    """`factory()` returns a `coc_core.execution.Executor`.

    One with options may name `configured(text)`, which is called for the choice `NAME:TEXT`, such as `vote:k=3`. One
    that reports something (`Executor.report`) names `described(report)`, which puts that into a line, and raises
    ArtefactError if the report is of a file and malformed.
    """

    name: str
    factory: str
    summary: str
    configured: str | None = None
    described: str | None = None


@frozen
class CheckpointSpec(Spec):
    """A trained model that ships with a plugin; `folder` is `package:path`.

    It is the default model of every run in one of its `dialects`.
    """

    name: str
    folder: str
    dialects: tuple[str, ...]
    summary: str


@frozen
class PlanFormatSpec(Spec):
    """`factory(domain, problem)` returns a `coc_core.domain.PlanFormat`, which writes and reads plans for the problem.

    `domains` lists the domains whose plans it writes and reads, beside those that list it; None means all.

    A format that is not a list of actions names `writer(path, domain, problem)` in place of a factory: a context
    manager that gives a `coc_core.execution.SummaryListener` and writes the plan, for which steps may be skipped. Its
    files begin with `opening`, and `instead` is the remedy where such a plan can't be read action by action.
    """

    name: str
    summary: str
    factory: str | None = None
    domains: tuple[str, ...] | None = None
    writer: str | None = None
    opening: str = ""
    instead: str = ""


@frozen
class ProblemFormatSpec(Spec):
    """`factory(domain, path)` yields the problems in a file whose name ends in `.NAME`.

    Each is a pair: its line, counted from 1, or None where it is the whole file; and its text, as `--problem` takes it,
    or its `coc_core.domain.Translation`, if it is in another language. A problem that can't be read raises CocError.

    Where a file tells its domain, `translation(registry, path)` is its problem, in any; None if the file has none.
    Where each line does, it yields such pairs, with an UnsupportedError in place of a problem of no domain.
    """

    name: str
    factory: str
    summary: str
    translation: str | None = None


@frozen
class CommandSpec(Spec):
    """A command of the command line, `coc NAME`: `function(...)` is what typer makes a command of.

    It is annotated as `typer.Typer.command` has it, and returns the exit code, or None for 0. The first
    sentence of its docstring is the summary; what follows the line `Examples:` is shown last. It raises
    `coc_core.errors.CocError`. What commands share is in `coc_core.cli`. `panel` is the heading that it is listed
    under in `coc --help`.

    Where the names of others begin with its name and a space, as `data build` begins with `data`, it is a group: its
    function takes nothing and does nothing.
    """

    name: str
    function: str
    summary: str
    panel: str = "From plugins"


@frozen
class RunOptionsSpec(Spec):
    """Options that a plugin adds to `coc run`: the fields of `record`, a subclass of `coc_core.api.RunAddition`."""

    name: str
    record: str
    summary: str


@frozen
class FunctionSpec(Spec):
    """A function of the front door: `function(...)` is called as `coc.NAME(...)`, such as `coc.certify`."""

    name: str
    function: str
    summary: str


@frozen
class ItemSpec(Spec):
    """An item of `coc reproduce`, a table or figure: `item` names the class of it."""

    name: str
    item: str
    summary: str


_HOOKS: dict[str, tuple[type[Spec], str]] = {
    "coc_domains": (DomainSpec, "domain"),
    "coc_memories": (MemorySpec, "memory"),
    "coc_arithmetics": (ArithmeticSpec, "arithmetic"),
    "coc_models": (ModelSpec, "model"),
    "coc_executors": (ExecutorSpec, "executor"),
    "coc_plan_formats": (PlanFormatSpec, "plan format"),
    "coc_problem_formats": (ProblemFormatSpec, "problem format"),
    "coc_checkpoints": (CheckpointSpec, "checkpoint"),
    "coc_commands": (CommandSpec, "command"),
    "coc_run_options": (RunOptionsSpec, "options of run"),
    "coc_functions": (FunctionSpec, "function"),
    "coc_items": (ItemSpec, "item"),
}

HOOKS: dict[str, type[Spec]] = {hook: kind for hook, (kind, _) in _HOOKS.items()}
"""The hooks, none of which takes an argument, and the class of the specs that each returns a list of."""

KINDS: dict[type, str] = dict(_HOOKS.values())
"""What the parts of each kind are called."""
