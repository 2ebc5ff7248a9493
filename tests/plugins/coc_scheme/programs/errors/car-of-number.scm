;; Add up a list that turns out not to be a proper list.
(import (scheme base) (scheme write))

(define (sum items)
  (if (null? items)
      0
      (let ((first (car items)))
        (+ first (sum (cdr items))))))

(display (sum '(1 2 3)))
(newline)
(display (sum '(1 2 . 3)))
(newline)

;=> 6
;! car: 3 is not a pair
;! line 7
