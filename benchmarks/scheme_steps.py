"""How many steps the Scheme machine takes for each operation: `python benchmarks/scheme_steps.py`."""

from functools import cache

import coc_core as coc

SETUP = (
    "(define (f x) x) (define (h . r) r) (define g 7) (define v (make-vector 300 0)) (define s (make-string 300 #\\a))"
)
SETUP += (
    " (vector-set! v 255 1) (vector-set! v 15 1) (define-record-type point (point x y) point? (x point-x) (y point-y))"
)
SETUP += " (define p (point 1 2)) (define l '(1 2)) "


@cache
def steps(text: str) -> int:
    """Return how many steps a program takes."""
    return coc.run("scheme", problem=SETUP + text + " (newline)", model="reference").steps


def cost(form: str, arguments: str = "1 2") -> int:
    """Return how many steps a form takes where x and y are arguments."""
    done, base = (f"((lambda (x y) {each} 0) {arguments})" for each in (form, ""))
    return steps(done) - steps(base)


FORMS = {
    "a constant": "1",
    "a variable": "x",
    "a variable of the top level": "g",
    "a call `(f x)`": "(f x)",
    "a call with a list of arguments `(h x y)`": "(h x y)",
    "`(cons x y)`": "(cons x y)",
    "`(car l)`": "(car l)",
    "`(if (null? x) 1 2)`": "(if (null? x) 1 2)",
    "`(set! x 1)`": "(set! x 1)",
    "`(vector-ref v 0)`": "(vector-ref v 0)",
    "`(vector-ref v 255)`": "(vector-ref v 255)",
    "`(string-ref s 15)`": "(string-ref s 15)",
    "a field of a record": "(point-x p)",
    "`(call/cc (lambda (k) (k 1)))`": "(call/cc (lambda (k) (k 1)))",
    "`(guard (e (#t 1)) (raise 1))`": "(guard (e (#t 1)) (raise 1))",
}


def main() -> None:
    """Print a table."""
    for name, form in FORMS.items():
        print(f"| {name} | {cost(form):,} |", flush=True)
    for name, form in {
        "x + y": "(+ x y)",
        "x < y": "(< x y)",
        "x · y": "(* x y)",
        "x / y": "(quotient x y)",
        "displaying x": "(display x)",
    }.items():
        counts = (cost(form, f"{2**bits - 1 - 2 ** (bits - 2)} {2**bits // 3}") for bits in (4, 16, 64))
        print(f"| {name}, with 4, 16 and 64 bits | {', '.join(f'{count:,}' for count in counts)} |", flush=True)


if __name__ == "__main__":
    main()
