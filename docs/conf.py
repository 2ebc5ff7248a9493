"""The documentation as pages: `sphinx-build -W docs BUILT`. No warning is let through.

The page about the command line is made first, from the help texts, and the page on which a model runs, from runs that
are recorded now.
"""

import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path

project = "coc"
author = "the coc authors"
release = metadata.version("chain-of-computation")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
napoleon_use_ivar = True  # attributes as a list, since autodoc describes them one by one
html_theme = "furo"
html_title = f"coc {release}"
html_static_path = ["../plugins/coc_view/face.css"]  # the type and the colours of pages and pictures
html_css_files = ["face.css"]
face = {
    "font-stack": "var(--sans)",
    "font-stack--monospace": "var(--mono)",
    "color-brand-primary": "var(--accent)",
    "color-brand-content": "var(--accent)",
    "color-brand-visited": "var(--accent)",
    "color-foreground-primary": "var(--ink)",
    "color-foreground-secondary": "var(--soft)",
    "color-foreground-muted": "var(--soft)",
    "color-foreground-border": "var(--line)",
    "color-background-primary": "var(--card)",
    "color-background-secondary": "var(--ground)",
    "color-background-border": "var(--line)",
    "color-code-background": "var(--faint)",
}
html_theme_options = {"light_css_variables": face, "dark_css_variables": face}
html_show_copyright = False
default_role = "code"  # docstrings put code between single backticks
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "show-inheritance": True}

html_extra_path = ["live"]

commands = [sys.executable, "-m", "typer", "coc_core.cli.app", "utils", "docs", "--name", "coc"]
page = subprocess.run(commands, check=True, capture_output=True).stdout
Path(__file__).with_name("reference").joinpath("cli.md").write_bytes(page)

live = Path(__file__).with_name("live")
live.mkdir(exist_ok=True)
coc = [sys.executable, "-m", "coc_core"]
runs = [("hanoi", "pda", "4"), ("hanoi", "pda", "6"), ("blocks", "heap", "5"), ("blocks", "heap", "7")]
with tempfile.TemporaryDirectory() as folder:
    files = [f"{folder}/{number}.run" for number in range(len(runs))]
    for file, (domain, memory, size) in zip(files, runs, strict=True):
        options = ["--domain", domain, "--memory", memory, "--n", size, "--save", file]
        subprocess.run([*coc, "run", *options], check=True, capture_output=True)
    subprocess.run([*coc, "view", "--live", *files, "-o", live / "live.html"], check=True, capture_output=True)
