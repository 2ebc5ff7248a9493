;; Mistakes that a program survives: each is caught and reported.
(import (scheme base) (scheme write))

(define-syntax survive
  (syntax-rules ()
    ((_ name expression)
     (begin
       (display name)
       (display ": ")
       (write (guard (e (#t 'caught)) expression))
       (newline)))))

(define (show-length x) (length x))

(survive "car of a number" (car 5))
(survive "cdr of the empty list" (cdr '()))
(survive "unbound variable" (undefined-procedure 1))
(survive "not a procedure" ((lambda () (7 8))))
(survive "too few arguments" ((lambda (a b) a) 1))
(survive "too many arguments" (show-length '(1) '(2)))
(survive "vector index" (vector-ref (vector 1 2 3) 3))
(survive "string index" (string-ref "abc" 10))
(survive "division by zero" (quotient 1 0))
(survive "sum with a symbol" (+ 1 'two))
(survive "bad length" (length '(1 . 2)))
(survive "list too short" (list-ref '(a b) 5))
(survive "no mistake" (quotient 7 2))

;; State that was changed before the mistake stays changed.
(define log '())
(define (risky x)
  (set! log (cons x log))
  (vector-ref #(10 20) x))
(define (try x)
  (guard (e (#t 'out-of-range)) (risky x)))
(write (map try '(1)))
(newline)
(write (try 2))
(newline)
(write log)
(newline)

;; The first mistake ends a loop; what was done before remains.
(define done '())
(guard (e (#t (display "stopped") (newline)))
  (for-each (lambda (n)
              (set! done (cons (quotient 12 n) done)))
            '(1 2 3 0 4)))
(write (reverse done))
(newline)

;=> car of a number: caught
;=> cdr of the empty list: caught
;=> unbound variable: caught
;=> not a procedure: caught
;=> too few arguments: caught
;=> too many arguments: caught
;=> vector index: caught
;=> string index: caught
;=> division by zero: caught
;=> sum with a symbol: caught
;=> bad length: caught
;=> list too short: caught
;=> no mistake: 3
;=> (20)
;=> out-of-range
;=> (2 1)
;=> stopped
;=> (12 6 4)
