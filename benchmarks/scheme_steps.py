"""How many steps the Scheme machine takes for each operation: `python benchmarks/scheme_steps.py`."""

import coc_core as coc

SETUP = "(define (f x) x) (define (h . r) r) (define g 7) (define v (make-vector 300 0)) (define s (make-string 300 #\\a))"
SETUP += " (vector-set! v 255 1) (vector-set! v 15 1) (define-record-type point (point x y) point? (x point-x) (y point-y))"
SETUP += " (define p (point 1 2)) (define l '(1 2)) "


def steps(text: str) -> int:
    """Return how many steps a program takes."""
    return coc.run("scheme", problem=SETUP + text + " (newline)", model="reference").steps


def cost(form: str, arguments: str = "", without: str = "1") -> int:
    """Return how many steps a form takes more than another, where x and y are arguments."""
    names = " ".join("xyz"[: len(arguments.split())])
    done, base = (f"((lambda ({names}) {each} 0) {arguments})" for each in (form, without))
    return steps(done) - steps(base) + 1


def main() -> None:
    """Print a table."""
    rows = {
        "a constant": cost("2", without="0") or 1,
        "a variable": cost("x", "1"),
        "a variable of the top level": cost("g"),
        "a call `(f x)`": cost("(f x)", "1"),
        "a call with a list of arguments `(h x y)`": cost("(h x y)", "1 2"),
        "`(cons x y)`": cost("(cons x y)", "1 2"),
        "`(car l)`": cost("(car l)"),
        "`(if (null? x) x x)`": cost("(if (null? x) x x)", "1"),
        "`(set! x 1)`": cost("(set! x 1)", "1"),
        "`(vector-ref v 0)`": cost("(vector-ref v 0)"),
        "`(vector-ref v 15)`": cost("(vector-ref v 15)"),
        "`(vector-ref v 255)`": cost("(vector-ref v 255)"),
        "`(string-ref s 15)`": cost("(string-ref s 15)"),
        "a field of a record": cost("(point-x p)"),
        "`(call/cc (lambda (k) (k 1)))`": cost("(call/cc (lambda (k) (k 1)))"),
        "`(guard (e (#t 1)) (raise 1))`": cost("(guard (e (#t 1)) (raise 1))"),
    }
    for bits in (4, 16, 64):
        one, other = 2**bits - 1 - 2 ** (bits - 2), 2**bits // 3
        for name, form in {"x + y": "(+ x y)", "x < y": "(< x y)", "x · y": "(* x y)", "x / y": "(quotient x y)"}.items():
            rows[f"{name}, {bits} bits"] = cost(form, f"{one} {other}")
        rows[f"displaying x, {bits} bits"] = cost("(display x)", f"{one}")
    for name, count in rows.items():
        print(f"| {name} | {count:,} |")


if __name__ == "__main__":
    main()
