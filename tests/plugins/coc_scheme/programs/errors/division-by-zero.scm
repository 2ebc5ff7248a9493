;; The average of an empty list.
(import (scheme base) (scheme write))

(define (average numbers)
  (quotient (apply + numbers)
            (length numbers)))

(define (report name numbers)
  (display name)
  (newline)
  (display (average numbers))
  (newline))

(report "marks" '(3 5 4))
(report "nothing" '())

;=> marks
;=> 4
;=> nothing
;! quotient: division by zero
;! line 5
