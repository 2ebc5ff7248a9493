;; The case form: lists of data, characters, => in clauses, else.
(import (scheme base) (scheme write))

(define (show x) (write x) (newline))

(define (days month leap?)
  (case month
    ((april june september november) 30)
    ((february) (if leap? 29 28))
    (else 31)))
(show (map (lambda (m) (days m #f)) '(january february april december)))
(show (days 'february #t))

(define (kind c)
  (case c
    ((#\a #\e #\i #\o #\u) 'vowel)
    ((#\y) 'sometimes)
    ((#\space #\newline) 'blank)
    (else 'consonant)))
(show (map kind (string->list "my sea")))

;; With => the clause calls a procedure with the key.
(define (respond x)
  (case x
    ((1 2 3) => (lambda (n) (* n 100)))
    ((ping) => list)
    ((() #t #f) 'constant)
    (else => (lambda (other) (list 'unknown other)))))
(show (map respond '(1 3 ping () #f pong 4)))

;; The key is evaluated once; a clause may have several expressions.
(define calls 0)
(define (next!) (set! calls (+ calls 1)) calls)
(show (case (next!)
        ((0) 'zero)
        ((1) (next!) (next!) 'one)
        ((3) 'three)
        (else 'other)))
(show calls)

(define (fizz n)
  (case (gcd n 15)
    ((1) n)
    ((3) 'fizz)
    ((5) 'buzz)
    ((15) 'fizzbuzz)))
(show (map fizz '(1 3 5 7 9 10 15)))

;=> (31 28 30 31)
;=> 29
;=> (consonant sometimes blank consonant vowel vowel)
;=> (100 300 (ping) constant constant (unknown pong) (unknown 4))
;=> one
;=> 3
;=> (1 fizz buzz 7 fizz buzz fizzbuzz)
