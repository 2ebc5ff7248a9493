"""The documentation as pages: `sphinx-build -W docs BUILT`. No warning is let through.

The page about the command line is made first, from the help texts.
"""

import subprocess
import sys
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

commands = [sys.executable, "-m", "typer", "coc_core.cli.app", "utils", "docs", "--name", "coc"]
page = subprocess.run(commands, check=True, capture_output=True).stdout
Path(__file__).with_name("reference").joinpath("cli.md").write_bytes(page)
