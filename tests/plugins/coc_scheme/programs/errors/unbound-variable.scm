;; A name that is spelt wrongly in one branch.
(import (scheme base) (scheme write))

(define (absolute n)
  (if (< n 0)
      (- nn)
      n))

(display (absolute 5))
(newline)
(display (absolute 0))
(newline)
(display (absolute -5))
(newline)

;=> 5
;=> 0
;! unbound variable: nn
;! line 6
