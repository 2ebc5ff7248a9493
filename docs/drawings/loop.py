"""Draws one turn of the loop: `python docs/drawings/loop.py > docs/drawings/loop.svg`."""

from svg import Canvas


def draw() -> str:
    """The drawing as SVG text."""
    canvas = Canvas(
        860,
        372,
        "One step of the loop",
        "The memory gives one window; the convention writes a prompt; the model responds with a target; the convention "
        "parses it; the arithmetic oracle computes addresses; the domain checks the actions; the memory commits.",
    )
    for x, y, kind, name, note in [
        (30, 66, "box", "Memory", "windows and a pointer"),
        (320, 66, "box", "Convention", "writes prompts, parses targets"),
        (610, 66, "blue-box", "Model", "reads one window at a time"),
        (320, 226, "box", "Arithmetic", "NEXT_ID+2 becomes 14"),
        (30, 226, "green-box", "Domain", "state and rules"),
    ]:
        canvas.box(x, y, 220, 76, kind)
        canvas.text(x + 110, y + 34, name, "title", "middle")
        canvas.text(x + 110, y + 56, note, "small soft", "middle")
    canvas.text(30, 36, "One step: committed whole or not at all", "title")
    canvas.arrow((250, 88), (320, 88))
    canvas.text(285, 80, "1 window", "small", "middle")
    canvas.arrow((540, 88), (610, 88), kind="blue-line")
    canvas.text(575, 80, "2 prompt", "small blue", "middle")
    canvas.arrow((610, 122), (540, 122), kind="blue-line")
    canvas.text(575, 140, "3 target", "small blue", "middle")
    canvas.arrow((430, 142), (430, 226))
    canvas.text(440, 180, "4 actions, new windows,", "small")
    canvas.text(440, 196, "registers", "small")
    canvas.arrow((320, 264), (250, 264))
    canvas.text(285, 256, "5 values", "small", "middle")
    canvas.arrow((140, 226), (140, 142))
    canvas.text(150, 180, "6 every action legal:", "small green")
    canvas.text(150, 196, "7 commit", "small green")
    canvas.arrow((140, 302), (140, 340), kind="line")
    canvas.text(152, 334, "validated actions form the plan", "small soft")
    canvas.box(610, 226, 220, 76, "warm-box")
    canvas.text(720, 260, "Fault", "title", "middle")
    canvas.text(720, 282, "the step changes nothing", "small soft", "middle")
    canvas.arrow((540, 264), (610, 264), kind="warm-line")
    canvas.text(575, 256, "refused", "small warm", "middle")
    return canvas.document()


if __name__ == "__main__":
    print(draw(), end="")
