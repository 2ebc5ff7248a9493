"""A run from Python: four disks on a stack, each action printed as it is validated."""

from coc_core.execution import Cached, StepRecord
from coc_core.plugin import Registry
from coc_core.setting import Setting


def main() -> None:
    setting = Setting.of(Registry.installed(), domain="hanoi", memory="pda", arith="symbolic")

    def listen(record: StepRecord) -> None:
        for action in record.actions:
            print(f"step {record.step:>2}: {setting.domain.actions.format(action)}")

    machine = setting.machine(setting.domain.problem(n=4), listeners=[listen])
    (outcome,) = Cached().run([machine], setting.model())  # the trained checkpoint that ships for this setting
    print(f"{outcome.status}: {outcome.steps} steps, {outcome.model_calls} questions to the model")
    print(setting.domain.render(machine.state, width=60))


if __name__ == "__main__":
    main()
