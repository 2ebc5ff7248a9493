"""Certificates: what a checkpoint does on some problems, as a document that another program can check.

It has every prompt that the model can be led to, with the target and its margin, and what follows for each problem. It
is one JSON object. docs/explanation/certificates.md has the theorem, and examples/check_certificate.py a checker.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import asdict, field, frozen

from coc_core.domain import Operator
from coc_core.execution import ProcedureSummary
from coc_core.models import TargetMargin
from coc_core.text import counted
from coc_problems import PromptList

FORMAT, VERSION = "coc-certificate", 2
PROGRAM_FORMAT, PROGRAM_VERSION = "coc-program-certificate", 2
CERTIFIED, EXACT_HERE = "certified", "exact on this machine"


@frozen
class Rule:
    """A prompt, and what the model makes of it.

    Attributes:
        prompt: The prompt.
        target: The model's target.
        margin: How clearly the model decides for it.
        then: The numbers of the rules for the prompts that it leads to, in the order in which they run.
        summary: What it does until all of these have ended; None in a certificate that is not composed.
    """

    prompt: str
    target: str
    margin: TargetMargin
    then: tuple[int, ...] = ()
    summary: ProcedureSummary | None = field(default=None, repr=False)

    @property
    def does(self) -> list[Any]:
        """The actions of its own step, in a certificate that is composed."""
        return [part for part in self.summary.body if not isinstance(part, ProcedureSummary)] if self.summary else []


@frozen
class Claim:
    """A problem that the model solves.

    Attributes:
        problem: Its text.
        first: The number of the rule of its first prompt.
        actions: The length of the plan.
        steps: The number of steps.
        window: What the memory holds at the start, if the first prompt does not show all of it.
    """

    problem: str
    first: int
    actions: int
    steps: int
    window: str = field(default="", repr=False)


@frozen(repr=False)
class Certificate:
    """What a checkpoint does on some problems.

    Attributes:
        setting: The names of the domain, the memory, the arithmetic and the dialect.
        fingerprint: That of the checkpoint.
        assumptions: What the bounds assume of the arithmetic.
        rules: A rule for each prompt that can be reached.
        claims: The problems.
        composed: Whether the rules have effects that are composed. If not, each problem is a chain of steps, which a
            checker follows with a simulator.
        domain: The domain.
    """

    setting: Mapping[str, str]
    fingerprint: str
    assumptions: Mapping[str, str]
    rules: Sequence[Rule]
    claims: Sequence[Claim]
    composed: bool
    domain: Any

    @property
    def certified(self) -> bool:
        """Whether no rounding changes a target."""
        return all(rule.margin.certified for rule in self.rules)

    @property
    def verdict(self) -> str:
        """`certified`, or `exact on this machine` where rounding might change a target."""
        return CERTIFIED if self.certified else EXACT_HERE

    @property
    def margin(self) -> float:
        """The smallest margin."""
        return min(rule.margin.margin for rule in self.rules)

    @property
    def ratio(self) -> float:
        """The smallest ratio of a margin and the bound on it, 0 where there is none."""
        return min(rule.margin.margin / rule.margin.bound for rule in self.rules)

    def __repr__(self) -> str:
        return f"<Certificate: {self.verdict}, {len(self.claims):,} problems, {len(self.rules):,} prompts>"

    @property
    def counts(self) -> dict[str, int]:
        """How much there is of what it is about."""
        return {"problems": len(self.claims), "prompts": len(self.rules), "composed": self.composed}

    @property
    def about(self) -> str:
        """What it is about, in words."""
        problems = f"{counted(len(self.claims), 'problem')} of {self.setting['domain']}"
        return f"{problems}, {counted(len(self.rules), 'prompt')}"

    def format(self) -> str:
        """Return the text of the certificate's file, with a line for each rule and each problem."""
        domain, actions = self.domain, {action: None for rule in self.rules for action in rule.does}
        parts = {
            "actions": [{"action": domain.actions.format(each), **_effect(domain.operator(each))} for each in actions],
            "rules": map(self._rule, self.rules),
            "problems": (asdict(claim, filter=lambda _, value: value != "") for claim in self.claims),
        }
        return self._text(FORMAT, VERSION, {"composed": self.composed}, parts)

    def _text(self, name: str, version: int, more: Mapping[str, Any], parts: Mapping[str, Iterable[Any]]) -> str:
        head = {"format": name, "version": version, "verdict": self.verdict, **self.setting}
        head |= {"fingerprint": self.fingerprint, "assumptions": dict(self.assumptions), **more}
        lines = {name: ",\n".join(map(json.dumps, entries)) for name, entries in parts.items()}
        lists = (f'"{name}": [\n{text}\n]' for name, text in lines.items())
        return f"{json.dumps(head)[:-1]},\n{', '.join(lists)}}}\n"

    def _rule(self, rule: Rule) -> dict[str, Any]:
        bound = rule.margin.bound if math.isfinite(rule.margin.bound) else None
        entry = {"prompt": rule.prompt, "target": rule.target, "margin": rule.margin.margin, "bound": bound}
        if rule.summary is None:
            return entry
        return entry | {
            "does": list(map(self.domain.actions.format, rule.does)),
            "then": rule.then,
            "actions": rule.summary.actions,
            "steps": rule.summary.steps,
            **_effect(rule.summary.operator),
        }


@frozen(repr=False, kw_only=True)
class ProgramCertificate(Certificate):
    """What a checkpoint does on all prompts of a program: of every run that begins with what is listed.

    Attributes:
        program: The program (`coc_certify.programs.program_data`).
        listed: The prompts, and the kinds of records and instructions that runs begin with.
    """

    claims: Sequence[Claim] = ()
    composed: bool = False
    program: Mapping[str, Any] = field(repr=False)
    listed: PromptList = field(repr=False)

    def __repr__(self) -> str:
        return f"<ProgramCertificate: {self.verdict}, {len(self.rules):,} prompts>"

    @property
    def counts(self) -> dict[str, int]:
        found = {"procedures": len(self.program["procedures"]), "prompts": len(self.rules)}
        return found | {"kinds": len(self.listed.first), "wrong": len(self.listed.wrong)}

    @property
    def about(self) -> str:
        return f"{counted(self.counts['procedures'], 'procedure')} of {self.setting['domain']}, {self.listed.scope}"

    def format(self) -> str:
        parts = {"procedures": self.program["procedures"], "rules": map(self._rule, self.rules)}
        more = {"classes": self.program["classes"], "first": self.listed.first if self.listed.stated else None}
        return self._text(PROGRAM_FORMAT, PROGRAM_VERSION, more, parts)


def _effect(operator: Operator) -> dict[str, Any]:
    return {"needs": sorted(operator.needs.items()), "sets": sorted(operator.sets.items())}
