"""`coc.certify`: all prompts that some problems lead to, the model's targets with their margins, and what follows."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from coc_certify.certificate import Certificate, Claim, ProgramCertificate, Rule
from coc_certify.programs import program_data
from coc_core.api import open_registry
from coc_core.domain import StoresRecords
from coc_core.errors import UsageError
from coc_core.execution import Listener, Lockstep, Machine, Summaries, Summary
from coc_core.memories import Convention
from coc_core.models import Model, Pair, StatesMargins
from coc_core.options import ADVANCED, Flag, Option, PluginOptions, SettingOptions, option, shared, takes
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_core.storage import check_file, write_file
from coc_core.types import MOST_STEPS
from coc_problems import Instance, ManyProblems, PromptList, chosen_problems, every_prompt, has_few_kinds
from coc_programs import Compiled, Program

KIND = "certificate"

MOST_PROMPTS = 1 << 18
"""The largest number of prompts in a certificate."""

_TOGETHER = 1 << 10  # problems whose prompts are explored at a time
_MOST_VALUES = 1 << 23  # that the effects of all prompts need and set


@frozen
class Refutation:
    """Why there is no certificate.

    Attributes:
        about: The problem that is not solved, or the prompt whose target is in doubt.
        reason: What is wrong with it.
    """

    about: str
    reason: str


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


class _Proof:
    """What a model does on some problems.

    Where steps compose, each prompt is called once, and the effects are composed from the bottom up. Otherwise each
    problem is run, and its prompts are kept.

    Attributes:
        numbers: The number of each prompt that the problems lead to, in the order of `targets`.
        targets: The targets of these prompts.
    """

    def __init__(self, setting: Setting, model: Model, composed: bool) -> None:
        self._setting, self._model = setting, model
        self._summaries = Summaries(model, MOST_PROMPTS + 1, _MOST_VALUES) if composed else None
        self._problems = dict[str, None]()  # their texts, in order
        self._first = dict[Machine, str | None]()  # the first prompts of the runs that have not ended
        self.numbers, self.targets = dict[str, int](), list[str]()

    def claims(self, problems: Iterator[Any]) -> list[Claim] | Refutation:
        """Return the problems, each once, or why one has no proof; UsageError for too many prompts."""
        found = dict[str, Claim]()
        composed = self._summaries and self._composed(self._summaries, problems)
        for machine in composed or self._step_by_step(problems):
            text, first = machine.domain.problems.format(machine.problem), self._first.pop(machine)
            if machine.status != "solved" or first is None:
                return Refutation(text, _why(machine))
            if first not in self.numbers:
                return Refutation(text, "the steps can't be composed")
            if len(self.targets) > MOST_PROMPTS:
                raise UsageError(
                    f"these are more than {MOST_PROMPTS:,} prompts", remedy="certify fewer problems at a time"
                )
            stored = isinstance(machine.domain, StoresRecords)  # so a prompt does not show all of the window
            window = machine.convention.first_window(machine.problem) if stored else ""
            found[text] = Claim(text, self.numbers[first], machine.actions, machine.steps, window)
        return [found[text] for text in self._problems]

    def effect(self, prompt: str) -> tuple[Any, ...]:
        """Return the numbers of the prompts that a prompt leads to, and what it does until these have ended."""
        if self._summaries is None:
            return ()
        _, following = self._summaries.leads_to(prompt)
        return tuple(self.numbers[each] for each in following), self._summaries.by_prompt[prompt]

    def _started(self, problem: Any, listeners: Sequence[Listener] = ()) -> Machine:
        machine = self._setting.machine(problem, listeners)
        text = machine.domain.problems.format(problem)
        self._problems[text] = None
        self._first[machine] = machine.peek()
        return machine

    def _step_by_step(self, problems: Iterator[Any]) -> Iterator[Machine]:
        listeners = [lambda record: self._keep(record.prompt, record.target)]
        machines = (self._started(problem, listeners) for problem in problems)
        return Lockstep().stream(machines, self._model)  # one stream, which calls no prompt twice

    def _composed(self, summaries: Summaries, problems: Iterator[Any]) -> Iterator[Machine]:
        while some := list(map(self._started, islice(problems, _TOGETHER))):
            summaries.explore(some)
            for machine in some:
                first = self._first[machine] or ""
                summary = summaries.by_prompt.get(first)
                if summary is not None and machine.skip(summary):
                    self._reach(summaries, first)
                else:
                    for _ in Summary().stream([machine], self._model):  # to the step where it goes wrong
                        pass
                yield machine

    def _reach(self, summaries: Summaries, first: str) -> None:
        """Keep a prompt and all that it leads to."""
        pending = [first]
        while pending:
            prompt = pending.pop()
            if prompt not in self.numbers:
                self._keep(prompt, str(summaries.responses[prompt]))  # a text, since it has a summary
                pending += reversed(summaries.leads_to(prompt)[1])

    def _keep(self, prompt: str, target: str) -> None:
        if prompt not in self.numbers:
            self.numbers[prompt] = len(self.targets)
            self.targets.append(target)


def _why(machine: Machine) -> str:
    fault = machine.fault
    return machine.unsolvable or (
        f"step {fault.step:,}, {fault.kind}: {fault.message}" if fault is not None else "the goal is not reached"
    )


def setting_to_certify(setting: Setting) -> Setting:
    """Return the setting to certify problems in: where steps are composed, there may be any number of them.

    UsageError if a second model does the arithmetic.
    """
    if setting.arith_model is not None:
        raise UsageError(
            f"{setting.arithmetic.name} arithmetic calls a second model, which no certificate covers",
            remedy="use --arith symbolic or inline",
        )
    return evolve(setting, limits=evolve(setting.limits, steps=MOST_STEPS)) if _composes(setting) else setting


def prove(
    setting: Setting,
    model: Model,
    problems: Iterable[Instance],
    *,
    bounded: bool = True,
    count: Callable[[int, int], None] = lambda done, total: None,
    runs: bool = False,
) -> Certificate | Refutation:
    """Prove what a model does on some problems, or say why that can't be done.

    Args:
        setting: What `setting_to_certify` gave.
        bounded: Whether to bound what the rounding of float32 can change.
        count: Is called with the number of targets whose margins are known, and the number of all.
        runs: Whether to prove it of these runs where the policy is a program, rather than of all its steps.

    Raises:
        UsageError: The model states no margins, there is no problem, or there are too many prompts.
    """
    fingerprint = model.record.get("fingerprint")
    if not isinstance(model, StatesMargins) or fingerprint is None:
        raise UsageError(f"the model {model.name!r} gives no logit margins", remedy="name a checkpoint with --model")
    domain: Any = setting.domain
    names = {
        "domain": domain.name,
        "memory": setting.memory.name,
        "arithmetic": setting.arithmetic.name,
        "dialect": setting.convention.dialect,
    }
    about = {"setting": names, "fingerprint": fingerprint, "assumptions": model.assumptions, "domain": domain}
    every = (instance.problem for instance in problems)
    if _is_program(setting) and not runs:
        about["program"] = program_data(domain, domain.compiled)
        about["listed"] = listed = _listed(setting.convention, domain.compiled, every)
        rules = _rules(model, listed.pairs, bounded, count)
        return rules if isinstance(rules, Refutation) else ProgramCertificate(rules=rules, **about)
    composed = _composes(setting)
    proof = _Proof(setting, model, composed)
    claims = proof.claims(every)
    if isinstance(claims, Refutation):
        return claims
    rules = _rules(model, list(map(Pair, proof.numbers, proof.targets)), bounded, count, proof.effect)
    if isinstance(rules, Refutation):
        return rules
    return Certificate(rules=rules, claims=claims, composed=composed, **about)


def _rules(
    model: StatesMargins,
    pairs: Sequence[Pair],
    bounded: bool,
    count: Callable[[int, int], None],
    effect: Callable[[str], tuple[Any, ...]] = lambda prompt: (),
) -> list[Rule] | Refutation:
    """Return a rule for each pair, with the margin of the target; or the prompt whose target is in doubt."""
    if not pairs:
        raise UsageError("there is no problem to certify", remedy="choose others")
    found = list[Rule]()
    for pair, margin in zip(pairs, model.margins(pairs, bounded=bounded), strict=True):
        if not margin.margin > 0:
            return Refutation(pair.prompt, "in float64 the model writes another target")
        found.append(Rule(*pair, margin, *effect(pair.prompt)))
        count(len(found), len(pairs))
    return found


def _is_program(setting: Setting) -> bool:
    """Return whether the policy is a program of which all prompts there are can be listed."""
    spoken = setting.convention
    return isinstance(setting.domain, Program) and "records" in spoken.offers and has_few_kinds(spoken)


def _listed(convention: Convention[Any, Any], compiled: Compiled, problems: Iterable[Any]) -> PromptList:
    """Return all prompts of a program; UsageError if a problem begins as the domain says none does."""
    for problem in problems:
        convention.first_window(problem)
    listed = every_prompt(convention)
    prompts = (*listed.wrong, *(pair.prompt for pair in listed.pairs))
    called = {prompt.split(" ")[1].partition(".")[0] for prompt in prompts}
    for code in compiled.codes.values():
        if code.procedure.name not in called:
            problem = "no run that begins with the kinds of this domain calls it"
            code.source.refuse(code.source.tree, problem, "remove it, or state more kinds")
    return listed


def _composes(setting: Setting) -> bool:
    """Return whether the steps of the setting's runs compose."""
    return setting.machine(setting.domain.problem(setting.domain.sizes[0])).skippable
