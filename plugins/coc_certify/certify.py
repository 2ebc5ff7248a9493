"""`coc.certify`: what a checkpoint does on some problems, proved."""

from collections.abc import Iterable
from pathlib import Path

from coc_certify.certificate import Certificate
from coc_certify.proofs import Refutation
from coc_certify.prove import problems_to_certify, prove, setting_to_certify
from coc_core.api import Files, PathLike, Sizes, open_registry
from coc_core.models import on_device
from coc_core.setting import Setting
from coc_core.storage import check_file, write_file

KIND = "certificate"


def certify(
    domain: str,
    sizes: Sizes | None = None,
    instances: int | None = None,
    *,
    problems: PathLike | Iterable[str] | None = None,
    out: PathLike | None = None,
    memory: str | None = None,
    arith: str = "symbolic",
    exhaustive: bool = False,
    seed: int = 0,
    model: str | None = None,
    no_bounds: bool = False,
    device: str | None = None,
    plugins: Files = (),
) -> Certificate | Refutation:
    """Prove what a checkpoint does on some problems, as `coc certify` does.

    The proof rests on the hypotheses in docs/explanation/certificates.md.

    Args:
        domain: The puzzle, such as `hanoi`; `coc.domains()` lists them.
        sizes: The problem sizes: one, several such as `range(1, 65)`, or a text such as `"1-3,5"`; 8 by default.
        instances: How many problems of each size are drawn, 50 by default, where there are several.
        problems: Your own problems, of which none are drawn then, as for `coc.evaluate`.
        out: Write the certificate to this file, if there is one. What is there is replaced.
        memory: The memory that keeps the windows; by default the domain's own.
        arith: What computes addresses.
        exhaustive: Whether to certify every problem of each size.
        seed: Draws the problems.
        model: A shipped checkpoint by its name, or a checkpoint by its folder.
        no_bounds: Whether to leave out the bounds on rounding, which take most of the time.
        device: The device that the model runs on, such as `cpu` or `cuda:1`; the backend chooses by default.
        plugins: Python files that are plugins, too.

    Returns:
        The certificate. If there is none, why: the problem that the model does not solve, or the prompt whose target is
        in doubt.

    Raises:
        UsageError: The choices make no sense, or the model gives no logit margins.
        ArtefactError: A checkpoint is broken.
        PluginError: A plugin failed to load, or raised during a run.
        StorageError: The file can't be written.
    """
    if out is not None:
        check_file(Path(out), KIND)
    setting = setting_to_certify(Setting.of(open_registry(plugins), domain, memory, arith))
    with on_device(device):
        chosen = problems_to_certify(setting, problems, sizes, instances=instances, exhaustive=exhaustive, seed=seed)
        found = prove(setting, setting.model(model), chosen, bounded=not no_bounds)
    if out is not None and isinstance(found, Certificate):
        write_file(Path(out), found.format().encode(), KIND)
    return found
