;; Matrices as lists of rows: product, transpose, power, trace.
(import (scheme base) (scheme write))

(define (dot a b) (apply + (map * a b)))

(define (transpose m) (apply map list m))

(define (product a b)
  (let ((columns (transpose b)))
    (map (lambda (row)
           (map (lambda (column) (dot row column)) columns))
         a)))

(define (identity n)
  (let row ((i 0))
    (if (= i n)
        '()
        (cons (let column ((j 0))
                (if (= j n)
                    '()
                    (cons (if (= i j) 1 0) (column (+ j 1)))))
              (row (+ i 1))))))

(define (power m n)
  (cond ((= n 0) (identity (length m)))
        ((even? n) (power (product m m) (quotient n 2)))
        (else (product m (power m (- n 1))))))

(define (trace m)
  (let loop ((m m) (i 0) (sum 0))
    (if (null? m)
        sum
        (loop (cdr m) (+ i 1) (+ sum (list-ref (car m) i))))))

(define (show m)
  (for-each (lambda (row) (display row) (newline)) m))

(define a '((1 2 3) (4 5 6)))
(define b '((7 8) (9 10) (11 12)))

(show (product a b))
(show (transpose a))
(show (identity 3))
(show (power '((1 1) (1 0)) 50))
(display (trace (product a b)))
(newline)

;=> (58 64)
;=> (139 154)
;=> (1 4)
;=> (2 5)
;=> (3 6)
;=> (1 0 0)
;=> (0 1 0)
;=> (0 0 1)
;=> (20365011074 12586269025)
;=> (12586269025 7778742049)
;=> 212
