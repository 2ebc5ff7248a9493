"""What a plugin can offer: a hook for each kind of part.

A plugin is a module (or any object) named by an entry point of the group `coc`. Each hook returns a list of frozen
specs. A spec names its factory as a string, `package.module:attribute`, which is imported only when it is used. So the
module of a plugin stays light, and listing the plugins imports none of their dependencies.
"""

from collections.abc import Iterable

import pluggy
from attrs import field, frozen

PROJECT = "coc"
DISTRIBUTION = "chain-of-computation"
DEFAULT_MEMORY = "pda"
hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@frozen
class DomainSpec:
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
        """The factory to use on a memory."""
        return dict(self.policies).get(memory, self.factory)


@frozen
class MemorySpec:
    """`factory(limits)` returns a `Memory`, and `convention(domain, notation, limits)` its `Convention`."""

    name: str
    factory: str
    convention: str
    summary: str


@frozen
class ArithmeticSpec:
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
class ModelSpec:
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
class ExecutorSpec:
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
class CheckpointSpec:
    """A trained model that ships with a plugin; `folder` is `package:path`.

    It is the default model of every run in one of its `dialects`.
    """

    name: str
    folder: str
    dialects: tuple[str, ...]
    summary: str


@frozen
class PlanFormatSpec:
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
class ProblemFormatSpec:
    """`factory(domain, path)` yields the problems in a file whose name ends in `.NAME`.

    Each is a pair: its line, counted from 1, or None where it is the whole file; and its text, as `--problem` takes it,
    or its `coc_core.domain.Translation`, if it is in another language. A problem that can't be read raises CocError.

    Where a file tells its domain, `translation(registry, path)` is its problem, in any; None if the file has none.
    """

    name: str
    factory: str
    summary: str
    translation: str | None = None


@frozen
class CommandSpec:
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
class RunOptionsSpec:
    """Options that a plugin adds to `coc run`: the fields of `record`, a subclass of `coc_core.api.RunAddition`."""

    name: str
    record: str
    summary: str


@frozen
class FunctionSpec:
    """A function of the front door: `function(...)` is called as `coc.NAME(...)`, such as `coc.certify`."""

    name: str
    function: str
    summary: str


@frozen
class ItemSpec:
    """An item of `coc reproduce`, a table or figure: `item` names the record of it."""

    name: str
    item: str
    summary: str


Spec = (
    DomainSpec
    | MemorySpec
    | ArithmeticSpec
    | ModelSpec
    | ExecutorSpec
    | PlanFormatSpec
    | ProblemFormatSpec
    | CheckpointSpec
    | CommandSpec
    | RunOptionsSpec
    | FunctionSpec
    | ItemSpec
)

KINDS: dict[type, str] = {
    DomainSpec: "domain",
    MemorySpec: "memory",
    ArithmeticSpec: "arithmetic",
    ModelSpec: "model",
    ExecutorSpec: "executor",
    PlanFormatSpec: "plan format",
    ProblemFormatSpec: "problem format",
    CheckpointSpec: "checkpoint",
    CommandSpec: "command",
    RunOptionsSpec: "options of run",
    FunctionSpec: "function",
    ItemSpec: "item",
}
"""What the parts of each kind are called."""


@hookspec
def coc_domains() -> Iterable[DomainSpec]:  # type: ignore[empty-body]
    """Domains: problems, the policy, the rules and the goal."""


@hookspec
def coc_memories() -> Iterable[MemorySpec]:  # type: ignore[empty-body]
    """Memories, each with the convention that writes its prompts and targets."""


@hookspec
def coc_arithmetics() -> Iterable[ArithmeticSpec]:  # type: ignore[empty-body]
    """Arithmetic oracles."""


@hookspec
def coc_models() -> Iterable[ModelSpec]:  # type: ignore[empty-body]
    """Model backends."""


@hookspec
def coc_executors() -> Iterable[ExecutorSpec]:  # type: ignore[empty-body]
    """Executors."""


@hookspec
def coc_plan_formats() -> Iterable[PlanFormatSpec]:  # type: ignore[empty-body]
    """Plan formats: how plans are written to files and read from them."""


@hookspec
def coc_problem_formats() -> Iterable[ProblemFormatSpec]:  # type: ignore[empty-body]
    """Problem formats: how files of problems are read, by the endings of their names."""


@hookspec
def coc_checkpoints() -> Iterable[CheckpointSpec]:  # type: ignore[empty-body]
    """Checkpoints that ship with the plugin."""


@hookspec
def coc_commands() -> Iterable[CommandSpec]:  # type: ignore[empty-body]
    """Commands of the command line."""


@hookspec
def coc_run_options() -> Iterable[RunOptionsSpec]:  # type: ignore[empty-body]
    """Options of `coc run`."""


@hookspec
def coc_functions() -> Iterable[FunctionSpec]:  # type: ignore[empty-body]
    """Functions of the front door, `import coc_core as coc`."""


@hookspec
def coc_items() -> Iterable[ItemSpec]:  # type: ignore[empty-body]
    """Items of `coc reproduce`."""
