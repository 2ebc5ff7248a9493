;; A number where a procedure should be.
(import (scheme base) (scheme write))

(define operations
  (list (cons 'double (lambda (x) (* 2 x)))
        (cons 'ten 10)))

(define (run name x)
  ((cdr (assq name operations)) x))

(write (run 'double 21))
(newline)
(write (run 'ten 21))
(newline)

;=> 42
;! not a procedure: 10
;! line 9
