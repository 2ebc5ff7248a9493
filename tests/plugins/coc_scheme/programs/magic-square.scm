;; Magic squares of odd order by the Siamese method, and a check.
(import (scheme base) (scheme write))

(define (make-square n) (make-vector (* n n) 0))

(define (siamese n)
  (let ((square (make-square n)))
    (let loop ((k 1) (row 0) (column (quotient n 2)))
      (vector-set! square (+ (* n row) column) k)
      (if (= k (* n n))
          square
          (let ((up (modulo (- row 1) n))
                (right (modulo (+ column 1) n)))
            (if (= 0 (vector-ref square (+ (* n up) right)))
                (loop (+ k 1) up right)
                (loop (+ k 1) (modulo (+ row 1) n) column)))))))

;; The sum of n cells from `start`, `step` apart.
(define (line-sum square n start step)
  (do ((i 0 (+ i 1))
       (at start (+ at step))
       (sum 0 (+ sum (vector-ref square at))))
      ((= i n) sum)))

(define (magic? square n)
  (let ((target (quotient (* n (+ 1 (* n n))) 2)))
    (and (= target (line-sum square n 0 (+ n 1)))
         (= target (line-sum square n (- n 1) (- n 1)))
         (let loop ((i 0))
           (or (= i n)
               (and (= target (line-sum square n (* i n) 1))
                    (= target (line-sum square n i n))
                    (loop (+ i 1))))))))

(define (show square n)
  (do ((i 0 (+ i 1)))
      ((= i (* n n)))
    (let ((k (vector-ref square i)))
      (if (< k 10) (display " "))
      (display k)
      (if (= (- n 1) (modulo i n)) (newline) (display " ")))))

(define three (siamese 3))
(define five (siamese 5))
(show three 3)
(show five 5)
(write (map magic? (list three five #(1 2 3 4)) '(3 5 2)))
(newline)

;=>  8  1  6
;=>  3  5  7
;=>  4  9  2
;=> 17 24  1  8 15
;=> 23  5  7 14 16
;=>  4  6 13 20 22
;=> 10 12 19 21  3
;=> 11 18 25  2  9
;=> (#t #t #f)
