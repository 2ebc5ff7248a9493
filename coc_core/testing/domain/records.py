"""Checks of records: what a policy stores beside the instructions that wait."""

from coc_core.datasets import closure, has_few_kinds
from coc_core.testing.check import needs, require, trying
from coc_core.testing.domain.subject import DomainSubject


@needs("settings_agree")
def kinds_are_few(subject: DomainSubject) -> None:
    """Where the domain says so, all prompts with names by place can be listed, and runs have no others.

    A field with a number or a list makes ever more of them. `expand` has to deal with each instruction and each record
    together, also where no run has them together.
    """
    for setting in subject.settings:
        if has_few_kinds(setting.convention):
            with trying(f"{setting.domain.name} on {setting.memory.name}"):
                listed = dict(closure(setting.convention, subject.problems))
            for run in subject.runs(setting):
                for prompt, target in zip(run.prompts, run.targets, strict=True):
                    found = listed.get(prompt)
                    require(found == target, f"the list has {found!r} where a run has {target!r}", prompt)
