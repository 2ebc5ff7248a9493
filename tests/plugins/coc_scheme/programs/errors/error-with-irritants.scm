;; Withdraw more than there is: an error with message and irritants.
(import (scheme base) (scheme write))

(define balance 100)

(define (withdraw! amount)
  (if (> amount balance)
      (error "insufficient funds:" amount 'of balance))
  (set! balance (- balance amount))
  balance)

(display (withdraw! 30))
(newline)
(display (withdraw! 50))
(newline)
(display (withdraw! 40))
(newline)

;=> 70
;=> 20
;! insufficient funds: 40 of 20
;! line 8
