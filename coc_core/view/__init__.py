"""A recorded run as one page for a browser."""

from coc_core.view.page import render_page, write_page
from coc_core.view.timeline import build_timeline

__all__ = [
    "build_timeline",
    "render_page",
    "write_page",
]
