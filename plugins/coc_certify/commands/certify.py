"""`coc certify`: what a checkpoint does on some problems, proved."""

from collections import Counter
from pathlib import Path

from attrs import frozen

from coc_certify.certificate import ProgramCertificate
from coc_certify.certify import CertifyOptions, Refutation, certified
from coc_core.cli import console
from coc_core.cli.options import command
from coc_core.cli.progress import progress
from coc_core.cli.solve.report import LONGEST
from coc_core.errors import EXIT_NOT_SOLVED, EXIT_SOLVED
from coc_core.options import option, shared
from coc_core.text import counted, escaped, shortened


@frozen(kw_only=True, slots=False)
class CertifyCommand(CertifyOptions):
    """What `coc certify` takes."""

    out: Path = option(shared.OUT, help="Write the certificate to this file.")


@command(CertifyCommand)
def certificate(options: CertifyCommand) -> int:
    """Prove what a checkpoint does on some problems.

    The certificate lists every prompt that runs of these problems reach, the model's target for each with its logit
    margin, and a bound on rounding. If each margin exceeds its bound, the verdict is `certified`: on every machine that
    meets the hypotheses in docs/explanation/certificates.md, these runs take legal actions and reach their goals.
    Otherwise it is `exact on this machine`. For a program, the certificate covers every step of the program, in
    problems of any size, and not single problems; the last line counts the prompts where the program itself goes wrong.
    Use --runs to certify the problems instead. A short program that shares no code with coc can check the file. The
    exit code is 1 if the model does not solve a problem; then no file is written.

    Examples:
        coc certify -d hanoi -n 1-64 -o hanoi.certificate
        coc certify -d hanoi --memory tape -n 1-8 -o tape.certificate
        coc certify -d pancake -n 4 --exhaustive --no-bounds -o 4.certificate
    """
    counts = [0, 0]

    def count(done: int, total: int) -> None:
        counts[:] = done, total

    registry = console.registry(options.plugins)
    with progress(console.err(), "margins", lambda: counts[1] or None, lambda: counts[0], lambda: ""):
        found = certified(registry, options, count)
    if isinstance(found, Refutation):
        refuted = {"verdict": "refuted", "about": found.about, "reason": found.reason}
        told = f"{shortened(escaped(found.about), LONGEST)}: {found.reason}"
        console.report(refuted, console.verdict("not certified", told))
        return EXIT_NOT_SOLVED
    tail = f"; smallest logit margin {found.margin:.2f}"
    if found.ratio:
        tail += f"; every margin at least {found.ratio:,.1f} times its bound"
    faults = Counter(found.listed.wrong.values() if isinstance(found, ProgramCertificate) else ())
    console.report(
        {
            **{"certificate": str(options.out), "verdict": found.verdict, **found.counts},
            **{"margin": found.margin, "ratio": found.ratio},
        },
        console.verdict(found.verdict, f"{found.about}{tail}"),
        [f"goes wrong at {counted(prompts, 'prompt')}: {escaped(fault)}" for fault, prompts in faults.items()],
    )
    return EXIT_SOLVED
