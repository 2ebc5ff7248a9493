;; A guard whose clauses do not fit what is raised.
(import (scheme base) (scheme write))

(define (parse text)
  (let ((n (string->number text)))
    (cond ((not n) (raise 'not-a-number))
          ((negative? n) (raise (cons 'negative n)))
          (else n))))

(define (try text)
  (display
   (guard (e ((symbol? e) e)
             ((string? e) 'text))
     (parse text)))
  (newline))

(try "12")
(try "twelve")
(try "-12")
(try "13")

;=> 12
;=> not-a-number
;! uncaught exception: (negative . -12)
;! line 7
