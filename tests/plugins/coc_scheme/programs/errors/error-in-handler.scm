;; A handler that makes a mistake of its own.
(import (scheme base) (scheme write))

(define (careful thunk)
  (with-exception-handler
   (lambda (e)
     (display "handling ")
     (write e)
     (newline)
     (string-append "problem: " e))
   thunk))

(display (careful (lambda () (raise-continuable "small"))))
(newline)
(display (careful (lambda () (raise-continuable 'large))))
(newline)

;=> handling "small"
;=> problem: small
;=> handling large
;! string-append: large is not a string
;! line 10
