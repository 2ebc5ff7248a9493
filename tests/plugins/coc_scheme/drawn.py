"""Programs drawn at random from the whole language: well-typed, but for errors that are caught, or end the program.

A line of TEMPLATES is a sort of expression and ways to make it, two spaces apart. `$i` is an expression of sort `i`,
`$I` a new variable of that sort and `$_` one that no expression uses, `$1` the first of them. After `$>` expressions
may use them, after `$<` no longer. What is evaluated in no fixed order neither prints nor changes what others see.
"""

import re

LEAVES = {  # apart by two spaces
    "i": "0  1  2  3  5  7  16  63  64  100  255  -1  -2  -4  -9  -64  1000003  -4294967296  98765432109876543210",
    "b": "#t  #f",
    "c": r"#\a  #\b  #\Z  #\0  #\space  #\~",
    "s": '""  "a"  "abc"  "Hello, you"  "x\\"y\\\\z"  "→☃"',
    "y": "'a  'b  'sym  'else  '->x",
    "l": "'()  '(1 2 3)  (list)  (list 5 -6)  '(0)",
    "v": "(vector 1 2)  '#(3)  #(1 2 3 4 5)  (make-vector 17 0)",
    "p": "abs  -  square  (lambda (x) x)",
    "x": r"""'(a (b))  '()  '(1 . #t)  '#(a "b" #\c)  'sym  #t""",
    "o": "(newline)",
    "u": "(newline)",
    "n": "0  1  2  3  4  5",
    "d": "1  2  3  7  10  64  -1  -3  -5  1000000007",
    "e": "(car '())",
}
TEMPLATES = r"""
i (+ $i $i)  (- $i $i $i)  (* $i $i)  (- $i)  (quotient $i $d)  (remainder $i $d)  (modulo $i $d)
i (floor-quotient $i $d)  (max $i $i (abs $i))  (+ (min $i $i) (gcd $i $i) (lcm $n $i))  (expt (modulo $i 99) $n)
i (if $b $i $i)  (length $l)
i (cond ($b $i) ((assv $n '((1 . 10) (2 . 20))) => cdr) ((memq $y '(a b)) 7) (else $i))  (let (($I $i)) $>$i)
i (case (modulo $i 5) ((0 2) $i) ((1) => (lambda ($I) $>$i)) $<(else $i))  (let* (($I $i) ($I (+ $1 $i))) $>$i)
i (case $y ((a sym) $i) (else => (lambda (x) 3)))  (let (($I $i)) $>(set! $1 $i) (set! $1 (+ $1 $i)) $1)  ($p $i)
i (letrec (($_ (lambda ($I) (if (< $2 1) $i (+ 1 ($1 (- $2 1))))))) ($1 $n))  (apply + $l)  (apply max $i $i $l)
i (let $_ (($I $n) ($I $i)) (if (= $2 0) $3 ($1 (- $2 1) $>(modulo $i 1009))))  (char->integer $c)  (my-or #f $i)
i (do (($I 0 (+ $1 1)) ($I $i $>(modulo $i 997))) ((= $1 $n) $2))  (+ (vector-length $v) (string-length $s))
i (let () (define $I $i) $>(define ($_ x . y) (if (null? y) (+ x $i) (length y))) (+ ($2 $i) ($2 1 2 3)))
i (string->number (number->string $i 16) 16)  (vector-ref $v 0)  (call/cc (lambda ($_) (+ 1 (if $b ($1 $i) $i))))
i (let (($V (vector-copy $v))) $>(vector-set! $1 0 $i) (vector-fill! $1 $i 1) (apply + (vector->list $1)))
i ((lambda ($I . $_) $>(+ $i (length $2))) $<$i $i $i)  (guard ($I ((number? $1) $>$i)) $<(+ 1 (raise $i)))
i (call-with-values (lambda () (values $i $i)) (lambda ($I $I) $>(- $1 $i)))  (guard ($_ (#t $i)) $e)  (down $n $i)
i (let-values ((($I $I . $_) (values $i $i $i)) (($I) (values $i))) $>(+ $i $i))  (list-ref (list $i $i $i) 1)
i (let*-values ((($I $I) (floor/ $i $d)) (($I) (values (* $1 2)))) $>$i)  (parameterize ((param $i)) (+ (param) $i))
i (guard ($_ ((symbol? $1) 1) ((string? $1) => (lambda (x) 2)) ((assq 'a '((a 1))) => cadr)) (raise $x))
i (guard ($_ ((string? $1) 5)) (guard ($_ ((symbol? $2) 6)) (raise (if $b $s $y))))
i (guard ($_ ((error-object? $1) (+ $i (length (error-object-irritants $1))))) (error "bad" $x $i))
i (with-exception-handler (lambda ($I) (* $1 $n)) (lambda () (+ 1 (raise-continuable $i))))
i (let (($_ (make-point $i $i))) (set-point-x! $1 (+ (point-y $1) $i)) (point-x $1))
i (force (if $b (delay $i) (delay-force (make-promise $i))))  (let (($I $i) ($I $i)) $>(swap! $1 $2) (- $1 $2))
i ((case-lambda (($I) $>$i) $<(($I $I) $>(+ $2 $i)) $<($_ (length $4))) $i $i)  (sum-tree '($n ($n . $n) (() ($n))))
i (bytevector-u8-ref (bytevector $n 255 $n) 0)
b (< $i $i)  (= $i $i $i)  (>= $i $i)  (not $b)  (and $b $b)  (or $b $b)  (my-even? $n)  (zero? (modulo $i 3))
b (equal? $x $x)  (eq? $y $y)  (string<? $s $s)  (char<? $c $c)  (or (char-alphabetic? $c) (char-whitespace? $c))
b (pair? (member $i $l))  (list? $x)  (eqv? $i $i)  (boolean=? $b $b)
l (cons $i $l)  (list $i $i)  (map $p $l)  (map (lambda ($I $I) $>$i) $<$l $l)  (append $l $l)  (reverse $l)
l (vector->list $v)  `(1 ,$i ,@$l)  (list-tail (list $i $i $i) 2)  (if $b $l $l)  (let (($L $l)) $>$l)
l (let (($L $l)) (if (pair? $1) (cdr $1) $1))  (map char->integer (string->list $s))  (apply map + (list $l $l))
l (let (($L '())) (for-each (lambda ($I) (set! $1 (cons $>$i $1))) $<$l) $1)
l (call-with-values (lambda () (exact-integer-sqrt (abs $i))) list)
l (call-with-values (lambda () (truncate/ $i $d)) list)
l (let (($L (list $i $i $i))) (set-car! (cdr $1) $i) (list-set! $1 0 $i) $1)
s (string-append $s $s)  (number->string $i)  (symbol->string $y)  (substring (string-append "abc" $s) 1 3)
s (list->string (list $c $c))  (string-map char-upcase $s)  (string-downcase $s)  (if $b $s $s)
s (let (($_ (open-output-string))) (write $x $1) (display $x $1) (get-output-string $1))
s (vector->string (string->vector $s))  (utf8->string (string->utf8 $s))
s (let (($S (make-string 3 $c))) (string-set! $1 1 $c) (string-copy! $1 0 $1 1) $1)
c (string-ref (string-append "x" $s) 0)  (char-upcase $c)  (integer->char (+ 97 (modulo $i 26)))
y (string->symbol (string-append "s" (number->string (abs $i))))  (if $b $y $y)
v (vector $i $i)  (vector-map $p $v)  (vector-append $v $v)  (list->vector (cons $i $l))
p (lambda ($I) $>$i)  (let (($I $i)) $>(lambda ($I) (set! $1 (+ $1 $2)) $>$i))  (if $b $p $p)
p (let (($_ $p)) (lambda (x) ($1 (modulo x 99))))
x $i  $l  $s  (list $x $c)  (cons $x $b)  (vector $y $x)  `(a ,$x (b ,@$l) #(1 ,$i) . ,$y)
e (car $i)  (vector-ref $v 100)  (+ $i $y)  ($i $i)  (error "bad" $x)  (raise $x)  (undefined-name $i)  (down $i)
e (string-ref $s 99)  (quotient $i 0)  (length $i)  (apply + $i)  (symbol->string $i)  (list-tail '(1) 3)
e (point-x $i)
o (begin (write $x) (newline))  (display $x)  (begin (write $b) $o)  (if $b $o $o)  (set! global $i)
o (for-each (lambda ($I) $>$o) $<$l)  (vector-for-each (lambda ($I) $>(write $i)) $<$v)
o (string-for-each (lambda (c) (write c)) $s)  (do (($I 0 (+ $1 1))) ((= $1 $n)) $>$o)
o (let (($_ 0)) (while (< $1 3) (set! $1 (+ $1 1)) $o (display $1)))
o (let (($_ (delay (begin $o $i)))) (write (force $1)) (write (force $1)))
o (with-exception-handler (lambda ($_) (display "handled") $n) (lambda () (write (+ 1 (raise-continuable $i)))))
o (guard ($_ (#t (display "caught ") $o)) $o (raise $x) $o)
u (begin $o $u)  (if $b $u $o)  (for-each (lambda ($I) $>$u) $<$l)  (parameterize ((param $i)) (write (param)) $u)
u (dynamic-wind (lambda () $o) (lambda () $o $o) (lambda () $o))
u (call/cc (lambda ($_) $o (dynamic-wind (lambda () (display "<")) (lambda () ($1 $i)) (lambda () (display ">"))) $u))
u (guard ($_ (#t $u)) (dynamic-wind (lambda () (display "[")) (lambda () $o (display $e)) (lambda () (display "]"))))
u (let (($_ #f) ($I 0)) (call/cc (lambda (k) (set! $1 k))) (set! $2 (+ $2 1)) $>$u (if (< $2 3) ($1 0)))
"""
HEAD = """(import (scheme base) (scheme write) (scheme char) (scheme cxr) (scheme lazy) (scheme case-lambda))
(define-syntax my-or (syntax-rules () ((_) #f) ((_ x) x) ((_ x y ...) (let ((t x)) (if t t (my-or y ...))))))
(define-syntax swap! (syntax-rules () ((_ a b) (let ((t a)) (set! a b) (set! b t)))))
(define-syntax while (syntax-rules () ((_ c b ...) (let loop () (when c b ... (loop))))))
(define-record-type point (make-point x y) point? (x point-x set-point-x!) (y point-y))
(define param (make-parameter 10 (lambda (x) (modulo x 1000))))
(define global 1)
(define (my-even? n) (if (= n 0) #t (my-odd? (- n 1))))
(define (my-odd? n) (if (= n 0) #f (my-even? (- n 1))))
(define (sum-tree t) (cond ((null? t) 0) ((pair? t) (+ (sum-tree (car t)) (sum-tree (cdr t)))) (else t)))
"""


class Draw:
    """Draws expressions."""

    def __init__(self, rng):
        self.rng, self.count, self.ways = rng, 0, {}
        for line in TEMPLATES.strip().splitlines():
            self.ways.setdefault(line[0], []).extend(line[2:].split("  "))

    def of(self, sort, depth, scope):
        """Return an expression of a sort; `scope` has the variables that it may use, each with its sort."""
        names = [name for name, its in scope if its == sort]
        if names and self.rng.random() < (0.2 if depth > 0 else 0.7):
            return self.rng.choice(names)
        if depth <= 0 or sort not in self.ways:
            return self.rng.choice(LEAVES[sort].split("  "))
        made, first, inner = [], 0, scope

        def fill(found):
            nonlocal first, inner
            what = found[1]
            if what.isdigit():
                return made[int(what) - 1][0]
            if what in "<>":
                first = first if what == ">" else len(made)
                inner = [*scope, *made[first:]]
                return ""
            if what.isupper() or what == "_":
                self.count += 1
                made.append((f"v{self.count}", what.lower()))
                return made[-1][0]
            return self.of(what, depth - 1, inner)

        return re.sub(r"\$([a-zA-Z0-9_<>])", fill, self.rng.choice(self.ways[sort]))


def drawn_program(rng, forms=4, depth=4):
    """Return a program of so many forms, and so deep; a quarter of them end in an error."""
    draw, scope = Draw(rng), [("global", "i"), ("(param)", "i")]
    down = draw.of("i", 2, [("x", "i"), ("n", "i")])
    lines = [f"{HEAD}(define (down n x) (if (<= n 0) x (down (- n 1) (modulo {down} 997))))"]
    lines += [draw.of("u", depth, scope) for _ in range(forms)]
    lines += [f"(display {draw.of('e', 2, scope)})"] * (rng.random() < 0.25)
    return "\n".join(lines) + "\n"
