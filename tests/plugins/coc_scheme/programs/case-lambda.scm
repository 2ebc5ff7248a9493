;; Procedures with several numbers of arguments.
(import (scheme base) (scheme write) (scheme case-lambda))

(define range
  (case-lambda
    ((end) (range 0 end 1))
    ((start end) (range start end 1))
    ((start end step)
     (if (if (> step 0) (>= start end) (<= start end))
         '()
         (cons start (range (+ start step) end step))))))

(define count-arguments
  (case-lambda
    (() 'none)
    ((a) (list 'one a))
    ((a b . rest) (list 'many a b rest))))

(define plus
  (case-lambda
    (() 0)
    ((x) x)
    ((x y) (+ x y))
    ((x y . more) (apply plus (plus x y) more))))

;; A counter that can be read, set and stepped.
(define (make-counter)
  (let ((n 0))
    (case-lambda
      (() n)
      ((command)
       (case command
         ((up) (set! n (+ n 1)) n)
         ((down) (set! n (- n 1)) n)
         (else (error "unknown command" command))))
      ((command value)
       (set! n value)
       n))))

(define (show x) (write x) (newline))
(show (range 5))
(show (range 2 6))
(show (range 10 0 -3))
(show (list (count-arguments) (count-arguments 1) (count-arguments 1 2)
            (count-arguments 1 2 3 4)))
(show (list (plus) (plus 1) (plus 1 2) (plus 1 2 3 4 5)))
(define c (make-counter))
(c 'up)
(c 'up)
(show (c))
(c 'set 41)
(show (c 'up))
(show ((case-lambda (all all)) 1 2 3))

;=> (0 1 2 3 4)
;=> (2 3 4 5)
;=> (10 7 4 1)
;=> (none (one 1) (many 1 2 ()) (many 1 2 (3 4)))
;=> (0 1 3 15)
;=> 2
;=> 42
;=> (1 2 3)
