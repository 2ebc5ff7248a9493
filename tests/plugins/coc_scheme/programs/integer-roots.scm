;; Integer square roots, cube roots, and perfect powers.
(import (scheme base) (scheme write))

(define (show x) (write x) (newline))

(define (root n)
  (let-values (((r rest) (exact-integer-sqrt n)))
    r))

(define (perfect-square? n)
  (let-values (((r rest) (exact-integer-sqrt n)))
    (= rest 0)))

;; Newton's method by hand, to compare.
(define (newton-root n)
  (let loop ((x n))
    (let ((better (quotient (+ x (quotient n x)) 2)))
      (if (< better x) (loop better) x))))

;; The largest r with r^k <= n, by halving an interval.
(define (kth-root n k)
  (let loop ((low 0) (high (+ n 1)))
    (if (= (+ low 1) high)
        low
        (let ((middle (quotient (+ low high) 2)))
          (if (<= (expt middle k) n)
              (loop middle high)
              (loop low middle))))))

(show (map root '(0 1 2 3 4 15 16 17 1000000)))
(show (map newton-root '(1 2 3 4 15 16 17 1000000)))
(show (let loop ((n 30) (found '()))
        (cond ((< n 0) found)
              ((perfect-square? n) (loop (- n 1) (cons n found)))
              (else (loop (- n 1) found)))))
(show (map (lambda (n) (kth-root n 3)) '(7 8 26 27 999 1000)))
(show (kth-root 1024 10))
(show (root (* 2 (expt 10 40))))
(show (perfect-square? (square 12345678987654321)))

;; Fermat's factorisation: n = a^2 - b^2.
(define (fermat n)
  (let loop ((a (+ 1 (root (- n 1)))))
    (let ((b2 (- (* a a) n)))
      (if (perfect-square? b2)
          (list (- a (root b2)) (+ a (root b2)))
          (loop (+ a 1))))))
(show (map fermat '(15 91 5959)))

;=> (0 1 1 1 2 3 4 4 1000)
;=> (1 1 1 2 3 4 4 1000)
;=> (0 1 4 9 16 25)
;=> (1 2 2 3 9 10)
;=> 2
;=> 141421356237309504880
;=> #t
;=> ((3 5) (7 13) (59 101))
