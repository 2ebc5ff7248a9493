"""A recorded run as one page for a browser."""

from coc_core.view.page import page, write_page
from coc_core.view.timeline import film

__all__ = [
    "film",
    "page",
    "write_page",
]
