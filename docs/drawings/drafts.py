"""Draws how a draft is checked: `python docs/drawings/drafts.py > docs/drawings/drafts.svg`."""

from svg import Canvas

_PROMPT = ["INSTR", "MOVE", "d=2"]
_DRAFT = ["Move", "disk", "2", "to", "3"]
_BEST = ["Move", "disk", "2", "to", "1"]
_WIDTH, _GAP, _LEFT = 72, 6, 180


def draw() -> str:
    """The drawing as SVG text."""
    canvas = Canvas(
        860,
        392,
        "How a draft is checked",
        "The policy drafts a target. One pass of the model over the prompt and the draft gives the likeliest token "
        "after each prefix. Draft tokens are accepted up to the first difference, and decoding continues from there.",
    )
    canvas.text(30, 36, "One pass checks a whole draft", "title")
    canvas.text(
        30,
        58,
        "Decoding a target takes one pass of the model for each token. Checking a draft takes a single pass.",
        "soft",
    )

    def cell(column: int, y: float, text: str, kind: str, ink: str = "") -> None:
        x = _LEFT + column * (_WIDTH + _GAP)
        canvas.box(x, y, _WIDTH, 32, kind, 5)
        canvas.text(x + _WIDTH / 2, y + 21, text, f"code {ink}".strip(), "middle")

    canvas.text(30, 106, "read in one pass", "small soft")
    for column, text in enumerate(_PROMPT):
        cell(column, 86, text, "box")
    for column, text in enumerate(_DRAFT):
        cell(column + 3, 86, text, "faint-box")
    canvas.text(_LEFT, 138, "prompt", "small soft")
    canvas.text(_LEFT + 3 * (_WIDTH + _GAP), 138, "draft: the target that the policy would write", "small soft")

    canvas.text(30, 200, "the model's choice", "small soft")
    canvas.text(30, 216, "after each prefix", "small soft")
    for column, (text, drafted) in enumerate(zip(_BEST, _DRAFT, strict=True)):
        right = text == drafted
        cell(column + 3, 186, text, "green-box" if right else "warm-box", "green" if right else "warm")
        x = _LEFT + (column + 3) * (_WIDTH + _GAP) + _WIDTH / 2
        canvas.arrow((x, 146), (x, 184), kind="line" if right else "warm-line")
    canvas.text(_LEFT + 3 * (_WIDTH + _GAP), 240, "equal: accepted", "small green")
    canvas.text(_LEFT + 8 * (_WIDTH + _GAP) - _GAP, 240, "the first difference", "small warm", "end")

    canvas.text(30, 291, "the response", "small soft")
    for column, text in enumerate(_BEST):
        cell(column + 3, 270, text, "blue-box")
    canvas.lines(
        30,
        338,
        [
            "From the first difference on, the draft is dropped and the model decodes by itself.",
            "So the response is the same as without a draft.",
        ],
        "small soft",
    )
    return canvas.document()


if __name__ == "__main__":
    print(draw(), end="")
