;; Catalan, Bell and Stirling numbers by recurrences on rows.
(import (scheme base) (scheme write))

(define (show x) (write x) (newline))

(define (iterate f x n)
  (if (= n 0)
      '()
      (cons x (iterate f (f x) (- n 1)))))

(define (numbers from to)
  (if (> from to) '() (cons from (numbers (+ from 1) to))))

;; C(0) = 1, C(n+1) = sum of C(i) C(n-i); the list is newest first.
(define (next-catalan known)
  (cons (apply + (map * known (reverse known))) known))
(show (reverse (list-ref (iterate next-catalan '(1) 11) 10)))

;; The same by a product.
(define (catalan n)
  (let loop ((k 0) (c 1))
    (if (= k n)
        c
        (loop (+ k 1) (quotient (* 2 c (+ (* 2 k) 1)) (+ k 2))))))
(show (map catalan (numbers 0 10)))
(show (catalan 35))

;; The Bell triangle: each row begins with the last of the one before.
(define (last items)
  (if (null? (cdr items)) (car items) (last (cdr items))))
(define (next-bell row)
  (let loop ((row row) (x (last row)))
    (if (null? row)
        (list x)
        (cons x (loop (cdr row) (+ x (car row)))))))
(for-each show (iterate next-bell '(1) 5))
(show (map car (iterate next-bell '(1) 10)))

;; Stirling numbers of the second kind: S(n, k) = k S(n-1, k) + S(n-1, k-1).
(define (next-stirling row)
  (map (lambda (k a b) (+ (* k a) b))
       (numbers 1 (+ 1 (length row)))
       (append row '(0))
       (cons 0 row)))
(for-each show (iterate next-stirling '(1) 6))
(show (map (lambda (row) (apply + row)) (iterate next-stirling '(1) 6)))

;=> (1 1 2 5 14 42 132 429 1430 4862 16796)
;=> (1 1 2 5 14 42 132 429 1430 4862 16796)
;=> 3116285494907301262
;=> (1)
;=> (1 2)
;=> (2 3 5)
;=> (5 7 10 15)
;=> (15 20 27 37 52)
;=> (1 1 2 5 15 52 203 877 4140 21147)
;=> (1)
;=> (1 1)
;=> (1 3 1)
;=> (1 7 6 1)
;=> (1 15 25 10 1)
;=> (1 31 90 65 15 1)
;=> (1 2 5 15 52 203)
