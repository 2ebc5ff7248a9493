;; dynamic-wind: what is set up is cleaned up, however the body is left.
(import (scheme base) (scheme write))

(define log '())
(define (note x) (set! log (cons x log)))
(define (show-log)
  (write (reverse log))
  (newline)
  (set! log '()))

(define (with-resource name body)
  (dynamic-wind
   (lambda () (note (list 'open name)))
   body
   (lambda () (note (list 'close name)))))

;; A normal return.
(write (with-resource 'file (lambda () (note 'work) 'result)))
(newline)
(show-log)

;; An escape through a continuation.
(write
 (call/cc
  (lambda (return)
    (with-resource 'file
                   (lambda ()
                     (note 'before)
                     (return 'escaped)
                     (note 'after))))))
(newline)
(show-log)

;; Nested resources are closed from the inside out.
(call/cc
 (lambda (return)
   (with-resource 'a
                  (lambda ()
                    (with-resource 'b (lambda () (return #f)))))))
(show-log)

;; An exception that a guard outside takes.
(write
 (guard (e ((symbol? e) (note 'handled) e))
   (with-resource 'lock (lambda () (raise 'trouble)))))
(newline)
(show-log)

;=> result
;=> ((open file) work (close file))
;=> escaped
;=> ((open file) before (close file))
;=> ((open a) (open b) (close b) (close a))
;=> trouble
;=> ((open lock) (close lock) handled)
