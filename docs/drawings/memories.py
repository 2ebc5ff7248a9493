"""Draws a stack and a tape beside each other: `python docs/drawings/memories.py > docs/drawings/memories.svg`."""

from svg import Canvas

_STACK = ["CALL n=1 src=1 dst=2", "MOVE d=2 src=1 dst=3", "CALL n=1 src=2 dst=3"]
_TAPE = [
    ("0", "CALL n=2 src=1 dst=3", "prev=-1"),
    ("1", "CALL n=1 src=2 dst=3", "prev=-1"),
    ("2", "MOVE d=2 src=1 dst=3", "prev=1"),
    ("3", "CALL n=1 src=1 dst=2", "prev=2"),
]


def draw() -> str:
    """The drawing as SVG text."""
    canvas = Canvas(
        860,
        350,
        "The same three instructions on a stack and on a linked tape",
        "After the first step of two disks, a stack holds three instructions, the next one on top. A linked tape holds "
        "four windows: the one that has run, and the same three, each with the address of the one to run after it.",
    )
    canvas.text(30, 36, "After the first step of two disks", "title")
    canvas.text(30, 60, "For CALL n=2 the policy returns three instructions, in the order in which they run.", "soft")

    canvas.text(30, 104, "A stack (pda)", "title")
    for row, text in enumerate(_STACK):
        y = 120 + row * 44
        canvas.box(110, y, 220, 34, "blue-box" if row == 0 else "box", 5)
        canvas.text(124, y + 22, text, "code")
    canvas.text(30, 142, "top", "blue bold")
    canvas.arrow((62, 137), (108, 137), kind="blue-line")
    canvas.lines(
        30, 286, ["The step popped one instruction and pushed three.", "No addresses are needed."], "small soft"
    )

    canvas.text(430, 104, "A linked tape (tape)", "title")
    for row, (address, text, previous) in enumerate(_TAPE):
        y = 120 + row * 40
        canvas.box(500, y, 200, 32, "blue-box" if row == 3 else "faint-box" if row == 0 else "box", 5)
        canvas.text(484, y + 21, address, "code soft", "end")
        canvas.text(512, y + 21, text, "code" + (" soft" if row == 0 else ""))
        canvas.text(710, y + 21, previous, "code" + (" soft" if row == 0 else " warm"))
    canvas.text(414, 261, "PTR", "blue bold")
    canvas.arrow((452, 256), (470, 256), kind="blue-line")
    canvas.arrow((770, 256), (800, 256), (800, 222), (774, 222), kind="line")
    canvas.arrow((770, 210), (800, 210), (800, 182), (774, 182), kind="line")
    canvas.text(774, 142, "has run", "small soft")
    canvas.lines(
        430,
        302,
        [
            "The step appended three windows and moved the pointer. Each link",
            "(prev) is an address, which has to be computed.",
        ],
        "small soft",
    )
    return canvas.document()


if __name__ == "__main__":
    print(draw(), end="")
