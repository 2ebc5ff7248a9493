;; Loops that a language may lack: while, until and repeat as macros.
(import (scheme base) (scheme write))

(define-syntax while
  (syntax-rules ()
    ((_ condition body ...)
     (let loop ()
       (when condition
         body ...
         (loop))))))

(define-syntax until
  (syntax-rules ()
    ((_ condition body ...)
     (while (not condition) body ...))))

(define-syntax repeat
  (syntax-rules (times)
    ((_ n times body ...)
     (let loop ((k n))
       (when (> k 0)
         body ...
         (loop (- k 1)))))))

(define i 0)
(while (< i 3)
  (display "i is ")
  (display i)
  (newline)
  (set! i (+ i 1)))

(define n 100)
(define halvings 0)
(until (= n 1)
  (set! n (quotient n 2))
  (set! halvings (+ halvings 1)))
(display halvings)
(newline)

;; The loop's own name does not clash with ours.
(define (loop) "mine")
(repeat 2 times
  (display (loop))
  (newline))

(while #f (display "never"))

;=> i is 0
;=> i is 1
;=> i is 2
;=> 6
;=> mine
;=> mine
