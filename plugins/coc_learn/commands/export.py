"""`coc export` and `coc import`: checkpoints to and from the formats of other libraries."""

from itertools import islice, product
from pathlib import Path

from attrs import asdict, frozen

from coc_core.cli import console
from coc_core.cli.options import command
from coc_core.errors import UsageError
from coc_core.models import Pair, read_config
from coc_core.options import MODEL, OUTPUT, File, Name, Option, PluginOptions, option, shared
from coc_core.plugin import ArithmeticSpec, CheckpointSpec, DomainSpec, MemorySpec, ModelSpec, Registry
from coc_core.setting import Setting, checkpoint_folder, unknown_model
from coc_core.text import counted, quoted
from coc_learn.addresses.dialect import ADDRESS_DIALECT
from coc_learn.addresses.pairs import address_pairs
from coc_learn.datasets import teacher_pairs
from coc_learn.interchange import Interchange

_COMPARED = 64  # pairs
_SIZES = 8  # sizes of problems that they are of
_ADDITIONS = 2_000  # the larger ones come last


@frozen(kw_only=True, slots=False)
class ExportCommand(PluginOptions):
    """What `coc export` takes."""

    checkpoint: str = option(
        Option(
            "The checkpoint: a shipped one by name, or any by folder.", (), Name("CHECKPOINT"), completes="checkpoints"
        )
    )
    out: Path = option(Option("The folder to write.", (), File("DIR")))
    target: str = option(Option("Export to this library.", ("--to",), Name("FORMAT"), OUTPUT), "transformers")
    as_json: bool = option(shared.JSON, False)


@command(ExportCommand)
def export_checkpoint(options: ExportCommand) -> int:
    """Export a checkpoint to another library.

    The other library then opens the export, and its targets are compared with those of coc.

    Examples:
        coc export hanoi-tape-symbolic hanoi-for-transformers
    """
    registry, checkpoint = console.registry(options.plugins), options.checkpoint
    out, target = options.out, options.target
    folder = checkpoint_folder(registry, checkpoint)
    if folder is None:
        raise unknown_model(checkpoint, [spec.name for spec in registry.specs(CheckpointSpec)])
    identity, _ = read_config(folder)
    interchange = _interchange(registry, identity.backend)
    if len(identity.dialects) != 1:
        raise UsageError(f"{checkpoint} has {len(identity.dialects)} dialects, but an export must have one")
    (dialect,) = identity.dialects
    agreement = interchange.exports(folder, target, out, _pairs(registry, dialect))
    if options.as_json:
        document = {"export": str(out), "format": target, "dialect": dialect, **asdict(agreement)}
        console.document(document)
    else:
        console.result(
            f"{out}: {checkpoint} for {target}",
            f"{target} and coc agree on {counted(agreement.prompts, 'prompt')} of {dialect}"
            f" ({counted(agreement.tokens, 'token')}): the same targets, and logits within {agreement.difference:.2g}",
        )
    return 0


@frozen(kw_only=True, slots=False)
class ImportCommand(PluginOptions):
    """What `coc import` takes."""

    folder: Path = option(Option("A folder written by `coc export`.", (), File("DIR")))
    out: Path = option(shared.OUT, help="Write the checkpoint to this folder.", kind=File("DIR"))
    source: str = option(
        Option("Import from the format of this library.", ("--from",), Name("FORMAT"), MODEL), "transformers"
    )
    dialect: str | None = option(
        Option(
            "Accept only this dialect (the language of one domain, convention and notation).",
            ("--dialect",),
            panel=MODEL,
            shown="any dialect",
        ),
        None,
    )
    backend: str = option(
        Option("Choose the kind of model to import.", ("--model",), panel=MODEL, completes="backends"), "transformer"
    )
    as_json: bool = option(shared.JSON, False)


@command(ImportCommand)
def import_checkpoint(options: ImportCommand) -> int:
    """Import a checkpoint from an exported folder.

    Examples:
        coc import hanoi-for-transformers -o hanoi-again
    """
    interchange = _interchange(console.registry(options.plugins), options.backend)
    out = options.out
    identity = interchange.imports(options.folder, options.source, out, options.dialect)
    if options.as_json:
        console.document({"checkpoint": str(out), "backend": identity.backend, "dialects": identity.dialects})
    else:
        console.result(f"{out}: a checkpoint for {', '.join(identity.dialects)}")
    return 0


def _interchange(registry: Registry, backend: str) -> Interchange:
    spec = registry.find(ModelSpec, backend)
    if spec.interchange is None:
        raise UsageError(f"the model {backend!r} can't be written in another library's format")
    interchange: Interchange = registry.make(spec, spec.interchange)
    return interchange


def _pairs(registry: Registry, dialect: str) -> list[Pair]:
    """Pairs of a dialect to compare two models on: those of its smallest problems, or additions of any size."""
    if dialect == ADDRESS_DIALECT:
        return list(address_pairs(seed=0, count=_ADDITIONS))[-_COMPARED:]
    setting = _setting(registry, dialect)
    problems = [setting.domain.problem(n) for n in setting.domain.sizes[:_SIZES]]
    return list(islice(teacher_pairs(setting, problems), _COMPARED))


def _setting(registry: Registry, dialect: str) -> Setting:
    """A setting that speaks a dialect; UsageError if no installed part does."""
    memories = [spec.name for spec in registry.specs(MemorySpec)]
    ariths = [spec.name for spec in registry.specs(ArithmeticSpec) if spec.dialect is None]  # the others need a model
    for domain in registry.specs(DomainSpec):
        if dialect.startswith(f"{domain.name}/"):
            for memory, arith in product(domain.memories or memories, ariths):
                setting = Setting.of(registry, domain.name, memory, arith)
                if setting.convention.dialect == dialect:
                    return setting
    raise UsageError(
        f"no installed domain has the dialect {quoted(dialect, 80)}", remedy="install the plugin of its domain"
    )
