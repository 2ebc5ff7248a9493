;; A price that is still a string.
(import (scheme base) (scheme write))

(define prices (list 12 30 "45"))

(define (total prices)
  (let loop ((prices prices) (sum 0))
    (display sum)
    (newline)
    (if (null? prices)
        sum
        (loop (cdr prices)
              (+ sum (car prices))))))

(display (total prices))
(newline)

;=> 0
;=> 12
;=> 42
;! +: "45" is not a number
;! line 13
