;; A procedure that checks a condition and says what was expected.
(import (scheme base) (scheme write))

(define (check condition expected . objects)
  (if (not condition)
      (apply error expected objects)))

(define (half n)
  (check (even? n) "expected an even number:" n)
  (quotient n 2))

(display (half 10))
(newline)
(display (half 7))
(newline)

;=> 5
;! expected an even number: 7
;! line 6
