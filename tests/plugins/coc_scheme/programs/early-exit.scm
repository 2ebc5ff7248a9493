;; Leave a program early with exit; what follows is not run.
(import (scheme base) (scheme write) (scheme process-context))

(define (check-all numbers)
  (for-each
   (lambda (n)
     (display n)
     (cond ((negative? n)
            (display " is negative, so we stop")
            (newline)
            (exit 0))
           (else
            (display " is fine")
            (newline))))
   numbers))

(define (with-farewell thunk)
  (dynamic-wind
   (lambda () (display "enter") (newline))
   thunk
   (lambda () (display "leave") (newline))))

(with-farewell (lambda () (check-all '(3 1 4))))
(check-all '(15 9 -2 6))
(display "never printed")
(newline)

;=> enter
;=> 3 is fine
;=> 1 is fine
;=> 4 is fine
;=> leave
;=> 15 is fine
;=> 9 is fine
;=> -2 is negative, so we stop
