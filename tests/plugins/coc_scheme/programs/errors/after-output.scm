;; A long report that fails near its end.
(import (scheme base) (scheme write))

(define sales
  '((monday 3 5) (tuesday 4 4) (wednesday 2 closed) (thursday 1 1)))

(define total 0)

(define (add-day! day)
  (let ((sum (+ (cadr day) (list-ref day 2))))
    (set! total (+ total sum))
    (display (car day))
    (display ": ")
    (display sum)
    (newline)))

(display "Report")
(newline)
(display "------")
(newline)
(for-each add-day! sales)
(display total)
(newline)

;=> Report
;=> ------
;=> monday: 8
;=> tuesday: 8
;! +: closed is not a number
;! line 10
