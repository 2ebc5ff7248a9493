;; A search raises a symbol when it finds nothing.
(import (scheme base) (scheme write))

(define (position x items)
  (let loop ((items items) (i 0))
    (cond ((null? items) (raise 'not-found))
          ((eqv? x (car items)) i)
          (else (loop (cdr items) (+ i 1))))))

(write (position 'c '(a b c d)))
(newline)
(write (position 'z '(a b c d)))
(newline)

;=> 2
;! uncaught exception: not-found
;! line 6
