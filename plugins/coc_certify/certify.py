"""`coc.certify`: what a checkpoint does on some problems, proved."""

from collections.abc import Callable
from pathlib import Path

from attrs import frozen

from coc_certify.certificate import Certificate
from coc_certify.prove import Refutation, prove, setting_to_certify
from coc_core.api import open_registry
from coc_core.options import ADVANCED, Flag, Option, PluginOptions, SettingOptions, option, shared, takes
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_core.storage import check_file, write_file
from coc_problems import ManyProblems, chosen_problems

KIND = "certificate"


@frozen(kw_only=True, slots=False)
class CertifyOptions(PluginOptions, ManyProblems, SettingOptions):
    """What `coc.certify` takes, and `coc certify` among others."""

    out: Path | None = option(shared.OUT, None, help="Write the certificate to this file.")
    model: str | None = option(shared.CHECKPOINT, None)
    device: str | None = option(shared.DEVICE, None)
    no_bounds: bool = option(
        Option(
            "Leave out the bounds on rounding errors, which take most of the time.", ("--no-bounds",), Flag(), ADVANCED
        ),
        False,
    )
    runs: bool = option(
        Option("Certify that these runs reach their goals, also where the policy is a program.", ("--runs",), Flag()),
        False,
    )


@takes(CertifyOptions, "domain", "sizes", "instances")
def certify(
    options: CertifyOptions, count: Callable[[int, int], None] = lambda done, total: None
) -> Certificate | Refutation:
    """Prove what a checkpoint does on some problems, as `coc certify` does.

    The proof rests on the hypotheses in docs/explanation/certificates.md.

    Args:
        count: Is called with the number of targets whose margins are known, and the number of all.

    Returns:
        The certificate. If there is none, why: the problem that the model does not solve, or the prompt whose target is
        in doubt.

    Raises:
        UsageError: The choices make no sense, or the model gives no logit margins.
        ArtefactError: A checkpoint is broken.
        PluginError: A plugin failed to load, or raised during a run.
        StorageError: The file can't be written.
    """
    return certified(open_registry(options.plugins), options, count)


def certified(
    registry: Registry, options: CertifyOptions, count: Callable[[int, int], None]
) -> Certificate | Refutation:
    """Return the proof with what is installed; arguments and errors as for `certify`."""
    if options.out is not None:
        check_file(options.out, KIND)
    setting = setting_to_certify(
        Setting.of(registry, str(options.domain), options.memory, options.arith, arith_model=options.arith_model)
    )
    problems = chosen_problems(setting, options)
    problems.check(setting)
    model, bounded = setting.model(options.model), not options.no_bounds
    found = prove(setting, model, problems, bounded=bounded, count=count, runs=options.runs)
    if options.out is not None and isinstance(found, Certificate):
        write_file(options.out, found.format().encode(), KIND)
    return found
