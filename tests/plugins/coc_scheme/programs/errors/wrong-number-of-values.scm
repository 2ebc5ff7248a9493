;; Three values where two are expected.
(import (scheme base) (scheme write))

(define (split n)
  (if (< n 100)
      (floor/ n 10)
      (values (quotient n 100) (quotient (modulo n 100) 10) (modulo n 10))))

(define (show n)
  (call-with-values
      (lambda () (split n))
    (lambda (tens ones)
      (display (list tens ones))
      (newline))))

(show 42)
(show 123)

;=> (4 2)
;! wrong number of arguments: 3 instead of 2
;! line 10
