;; The do loop: several variables, no step, vectors, and results.
(import (scheme base) (scheme write))

(define (show x) (write x) (newline))

(show (do ((i 0 (+ i 1))
           (sum 0 (+ sum i)))
          ((> i 10) sum)))

;; A variable without a step keeps its value; the body may change it.
(show (do ((i 0 (+ i 1))
           (v (make-vector 5 0)))
          ((= i 5) v)
        (vector-set! v i (* i i))))

;; All steps see the old values.
(show (do ((a 0 b)
           (b 1 (+ a b))
           (n 10 (- n 1)))
          ((= n 0) a)))

;; Several expressions after the test.
(do ((items '(x y z) (cdr items))
     (n 1 (+ n 1)))
    ((null? items)
     (display "counted ")
     (display (- n 1))
     (newline))
  (display n)
  (display (car items))
  (newline))

;; Nested loops for a multiplication table.
(do ((row 1 (+ row 1)))
    ((> row 4))
  (do ((column 1 (+ column 1)))
      ((> column 4))
    (let ((product (* row column)))
      (if (< product 10) (display " "))
      (display product)
      (if (< column 4) (display " "))))
  (newline))

;; Each round has its own variable, so closures keep their values.
(define thunks
  (do ((i 0 (+ i 1))
       (made '() (cons (lambda () (* 10 i)) made)))
      ((= i 4) made)))
(show (map (lambda (thunk) (thunk)) thunks))

;=> 55
;=> #(0 1 4 9 16)
;=> 55
;=> 1x
;=> 2y
;=> 3z
;=> counted 3
;=>  1  2  3  4
;=>  2  4  6  8
;=>  3  6  9 12
;=>  4  8 12 16
;=> (30 20 10 0)
