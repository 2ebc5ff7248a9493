;; A handler returns from raise, which must not go on.
(import (scheme base) (scheme write))

(define (log-and-return e)
  (display "logged: ")
  (write e)
  (newline)
  'ignored)

(define (step n)
  (if (> n 2)
      (raise (list 'too-big n))
      n))

(with-exception-handler
 log-and-return
 (lambda ()
   (display (step 1))
   (newline)
   (display (step 3))
   (newline)))

;=> 1
;=> logged: (too-big 3)
;! the handler returned from raise of (too-big 3)
;! line 12
