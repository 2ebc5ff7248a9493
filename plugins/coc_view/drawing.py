"""How every figure is drawn: to SVG or PNG with matplotlib, the same bytes each time."""

import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any

from coc_core.errors import UsageError
from coc_core.extras import needs_extra
from coc_core.storage import check_file, write_file

FORMATS = ("png", "svg")
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")
"""Four that are told apart by people who see colours differently (Okabe and Ito 2008)."""

_KIND = "figure"
_DPI = 150
_SETTINGS = {"svg.hashsalt": "coc", "svg.fonttype": "path", "font.family": "DejaVu Sans", "font.size": 12}
_METADATA: Mapping[str, Mapping[str, None]] = {"svg": {"Date": None, "Creator": None}, "png": {"Software": None}}


def figure_format(path: Path) -> str:
    """Return the format of a figure's file by its name; UsageError for none of `FORMATS`, or without matplotlib."""
    form = path.suffix.lower().removeprefix(".")
    if form not in FORMATS:
        raise UsageError(f"a figure's name must end in .png or .svg, unlike {path}")
    _matplotlib()
    return form


def check_figure(path: Path) -> None:
    """Check that a figure can be drawn and written, before anything is computed; errors as for `write_figure`."""
    figure_format(path)
    check_file(path, _KIND)


def write_figure(path: Path, draw: Callable[[str], bytes]) -> None:
    """Write the figure that `draw` makes in the format, of `FORMATS`, that the file's name asks for, in place of what
    is there. UsageError as for `figure_format`, StorageError if the file can't be written.
    """
    write_file(path, draw(figure_format(path)), _KIND)


def new_figure(width: float, height: float) -> Any:
    """Return an empty `matplotlib.figure.Figure` of this size in inches."""
    return import_module("matplotlib.figure").Figure(figsize=(width, height), dpi=_DPI, layout="constrained")


def drawn(make: Callable[[], Any], form: str, style: str | Mapping[str, Any] = {}) -> bytes:
    """Return the contents of the file, in one of `FORMATS`, of the figure that `make` draws with `new_figure`.

    The same figure gives the same bytes, on one machine and with one version of matplotlib, whatever the user's own
    settings are. A style is matplotlib's, the path of a style's file, or settings. UsageError without matplotlib.
    """
    matplotlib, styles = _matplotlib(), import_module("matplotlib.style")
    own = {**matplotlib.rcParamsDefault, **_SETTINGS, "backend": "agg"}
    with matplotlib.rc_context(own), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of settings that belong in no style, and are left out
        styles.use(style)
        matplotlib.rcParams["svg.hashsalt"] = _SETTINGS["svg.hashsalt"]
        data = BytesIO()
        make().savefig(data, format=form, metadata=_METADATA[form])
    return data.getvalue()


def _matplotlib() -> Any:
    with needs_extra("plots", "a figure needs matplotlib"):
        return import_module("matplotlib")
