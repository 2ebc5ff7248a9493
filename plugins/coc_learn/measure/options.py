"""The options of an evaluation."""

from pathlib import Path

from attrs import frozen

from coc_core.options import (
    OUTPUT,
    Choice,
    File,
    Flag,
    ModelOptions,
    Option,
    PluginOptions,
    SettingOptions,
    option,
    shared,
)
from coc_core.plugin import DEFAULT_FORMAT, Registry
from coc_core.setting import Setting
from coc_core.types import Limits
from coc_learn.measure.ended import Expected
from coc_problems import ManyProblems
from coc_workers.options import WorkerOptions

MEASUREMENT = "Measurement"


@frozen(kw_only=True, slots=False)
class EvalOptions(PluginOptions, WorkerOptions, ModelOptions, ManyProblems, SettingOptions):
    """What `coc.evaluate` takes, and `coc eval` among others."""

    optimal: bool = option(
        Option("Compare the plans with shortest plans, of small sizes.", ("--optimal",), Flag(), MEASUREMENT), False
    )
    expect: Expected = option(
        Option("Count this outcome as success.", ("--expect",), Choice(annotation=Expected), MEASUREMENT),
        Expected.solved,
    )
    plans: Path | None = option(
        Option("With --problems: keep the plans in this folder, and reuse them.", ("--plans",), File("DIR"), OUTPUT),
        None,
    )
    plan_format: str = option(
        shared.PLAN_FORMAT,
        DEFAULT_FORMAT,
        help="With --plans: write the plans in this format: text, physical, json, or a format from a plugin.",
    )
    max_steps: int = option(shared.MAX_STEPS, Limits().steps)

    @property
    def packed_format(self) -> str | None:
        """The format in which plans are kept; None if none are."""
        return self.plan_format if self.plans else None

    def setting(self, registry: Registry) -> Setting:
        """Make the setting; errors as for `Setting.of`."""
        limits = Limits(steps=self.max_steps)
        return Setting.of(registry, str(self.domain), self.memory, self.arith, limits, self.arith_model)
