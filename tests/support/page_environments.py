"""Run the pages of the documentation, each in an environment with nothing but what it has its readers install.

    python -m tests.support.page_environments FOLDER [PAGE ...]

Environments are made in FOLDER, one for pages that install the same. In the plain one, the command that an error names
as its remedy is run from another folder and has to help. Prints each page, and ends with code 1 if one fails.
"""

import subprocess
import sys
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.docs.test_snippets import ELSEWHERE, PAGES, ROOT
from tests.support.doc_pages import RUN, blocks, installs, run_page, shell
from tests.support.plain_install import OURS

TRAINING = "coc train -d hanoi -n 1-2 --set steps=1 --set max_len=128 -o model"


def made(place: Path, wanted: tuple[str, ...]) -> Path:
    """The commands of an environment with coc, its extras and other distributions."""
    venv.create(place, with_pip=True)
    pinned = (ROOT / "constraints.txt").read_text("utf-8")
    others = [each for each in wanted if f"\n{each}==" in pinned]  # harnesses need versions of their own
    words = [str(ROOT), *(each.replace(OURS, str(ROOT)) for each in wanted if each.startswith(OURS)), *others]
    pip = [place / "bin/pip", "install", "-q", "-c", ROOT / "constraints.txt", *words]
    subprocess.run(pip, check=True)
    return place / "bin"


def remedied(commands: Path) -> None:
    """In an environment without torch: what the error names installs it."""
    with TemporaryDirectory() as folder:
        refused = shell(TRAINING, Path(folder), commands)
        assert refused.returncode == 2, refused.stderr
        done = shell(f"{refused.stderr.rpartition('; ')[2].strip()} && {TRAINING}", Path(folder), commands)
        assert done.returncode == 0, done.stdout + done.stderr


def main(folder: str, *names: str) -> int:
    made_for: dict[tuple[str, ...], Path] = {}
    failed = []
    pages = [page for page in (*ELSEWHERE, *PAGES) if page != ROOT / "README.md" and (not names or page.name in names)]
    for page in (each for each in pages if any(block.reason is None for block in blocks(each, *RUN))):
        wanted = installs(page)
        try:
            if wanted not in made_for:
                made_for[wanted] = made(Path(folder) / str(len(made_for)), wanted)
            with TemporaryDirectory() as work:
                run_page(page, Path(work), made_for[wanted])
        except (AssertionError, subprocess.CalledProcessError) as error:
            failed.append(page.name)
            print(error, file=sys.stderr)
        print(page.name, *wanted, "FAILED" if page.name in failed else "as it says", flush=True)
    if () in made_for:
        remedied(made_for[()])
        print("the remedy of a missing extra helps", flush=True)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
