"""What is installed: the registry behind every function of the front door, the domains, the models, and the engines."""

from collections.abc import Iterator
from contextlib import contextmanager

from coc_core.api.values import Files, paths, warn
from coc_core.engines import Pool, usable_cores
from coc_core.errors import UsageError
from coc_core.models import Model, on_device
from coc_core.options import WorkerOptions
from coc_core.plugin import DomainSpec, EngineSpec, Registry
from coc_core.setting import Setting

DEFAULT_ENGINE = "processes"


def domains(*, plugins: Files = ()) -> dict[str, str]:
    """List the installed domains: each by its name, with one line about it.

    Args:
        plugins: Python files that are plugins, too.
    """
    return {spec.name: spec.summary for spec in open_registry(plugins).specs(DomainSpec)}


def load_model(
    domain: str,
    *,
    memory: str | None = None,
    arith: str = "symbolic",
    arith_model: str | None = None,
    model: str | None = None,
    device: str | None = None,
    plugins: Files = (),
) -> Model:
    """Load the model for a domain, ready for `complete`.

    Args:
        domain: The domain.
        memory: The memory that keeps the windows; by default the domain's own.
        arith: What computes addresses.
        arith_model: For learned arithmetic, the model that computes addresses, named as for `model`.
        model: A model or a shipped checkpoint by its name, or a checkpoint by its folder. By default the checkpoint
            that ships for the other choices.
        device: The device that the model runs on, such as `cpu` or `cuda:1`; the backend chooses by default.
        plugins: Python files that are plugins, too.

    Raises:
        UsageError: A name is unknown, the choices can't be combined, or no checkpoint ships for them.
        ArtefactError: The checkpoint is broken, or was trained for other choices.
    """
    with on_device(device):
        return Setting.of(open_registry(plugins), domain, memory, arith, arith_model=arith_model).model(model)


def open_registry(plugins: Files = ()) -> Registry:
    """The installed plugins and those in files; warns of each that is broken or refused."""
    registry = Registry.installed(paths(plugins))
    warn(registry.failures())
    return registry


@contextmanager
def open_pool(registry: Registry, options: WorkerOptions) -> Iterator[Pool | None]:
    """The pool of workers that `--jobs`, `--engine` and `--engine-address` choose; None to work in this process.

    The workers end with the block.

    Raises:
        UsageError: The engine is unknown or not installed, or nobody answers at the address.
    """
    jobs, engine, address = options.jobs, options.engine, options.engine_address
    count = usable_cores() if jobs is None else jobs
    if engine is None:
        if address is not None:
            raise UsageError("an address belongs to an engine", remedy="choose one with --engine")
        if jobs is None or count == 1:
            yield None
            return
        engine = DEFAULT_ENGINE
    spec = registry.find(EngineSpec, engine)
    with Pool(lambda jobs: registry.make(spec, spec.factory, jobs, address), count) as pool:
        pool.open()
        yield pool
