;; All shortest distances in a graph, after Floyd and Warshall.
(import (scheme base) (scheme write))

(define n 4)

;; Distances in one vector; #f stands for no way.
(define d (make-vector (* n n) #f))
(define (at i j) (vector-ref d (+ (* i n) j)))
(define (put! i j x) (vector-set! d (+ (* i n) j) x))

(define (for-each-index proc)
  (do ((i 0 (+ i 1)))
      ((= i n))
    (proc i)))

(define (relax! i j through)
  (let ((a (at i through))
        (b (at through j))
        (old (at i j)))
    (if (and a b (or (not old) (< (+ a b) old)))
        (put! i j (+ a b)))))

(define (show)
  (for-each-index
   (lambda (i)
     (for-each-index
      (lambda (j)
        (if (> j 0) (display " "))
        (display (or (at i j) "-"))))
     (newline)))
  (newline))

(for-each-index (lambda (i) (put! i i 0)))
(for-each (lambda (edge) (apply put! edge))
          '((0 2 -2) (2 3 2) (3 1 -1) (1 0 4) (1 2 3)))
(show)
(for-each-index
 (lambda (k)
   (for-each-index
    (lambda (i)
      (for-each-index
       (lambda (j) (relax! i j k)))))))
(show)

;=> 0 - -2 -
;=> 4 0 3 -
;=> - - 0 2
;=> - -1 - 0
;=>
;=> 0 -1 -2 0
;=> 4 0 2 4
;=> 5 1 0 2
;=> 3 -1 1 0
;=>
