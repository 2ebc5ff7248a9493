"""Programs to practise on."""

import random


def drawn_program(n: int, rng: random.Random) -> str:
    """Draw a program of n lines, each of which prints the value of an expression."""
    return "\n".join(f"(write {_whole(3, rng)}) (newline)" for _ in range(n))


def _whole(depth: int, rng: random.Random) -> str:
    if depth == 0:
        return str(rng.randint(-20, 99))

    def part() -> str:
        return _whole(depth - 1, rng)

    match rng.randrange(8):
        case 0 | 1:
            return f"({rng.choice('+-*')} {part()} {part()})"
        case 2:
            return f"({rng.choice(('quotient', 'remainder', 'modulo'))} {part()} {rng.randint(1, 9)})"
        case 3:
            return f"(if ({rng.choice('<>=')} {part()} {part()}) {part()} {part()})"
        case 4:
            return f"(let ((x {part()})) (* x x))"
        case 5:
            return f"(let loop ((i {rng.randint(1, 5)}) (x {part()})) (if (= i 0) x (loop (- i 1) (+ x i))))"
        case 6:
            return f"(length (map (lambda (x) (+ x 1)) (list {part()} {part()})))"
    return f"(apply max (list {part()} {part()} {part()}))"
