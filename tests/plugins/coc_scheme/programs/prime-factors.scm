;; Prime factors, divisors, and the fundamental theorem of arithmetic.
(import (scheme base) (scheme write))

(define (factors n)
  (let loop ((n n) (p 2))
    (cond ((= n 1) '())
          ((> (* p p) n) (list n))
          ((= 0 (remainder n p)) (cons p (loop (quotient n p) p)))
          (else (loop n (if (= p 2) 3 (+ p 2)))))))

;; Group equal neighbours as (factor . exponent).
(define (group factors)
  (if (null? factors)
      '()
      (let ((rest (group (cdr factors))))
        (if (and (pair? rest) (= (car factors) (caar rest)))
            (cons (cons (car factors) (+ 1 (cdar rest))) (cdr rest))
            (cons (cons (car factors) 1) rest)))))

(define (divisor-count n)
  (apply * (map (lambda (f) (+ 1 (cdr f))) (group (factors n)))))

(define (divisors n)
  (let loop ((groups (group (factors n))))
    (if (null? groups)
        '(1)
        (let ((rest (loop (cdr groups)))
              (p (caar groups)))
          (let powers ((k 0) (q 1))
            (if (> k (cdar groups))
                '()
                (append (map (lambda (d) (* q d)) rest)
                        (powers (+ k 1) (* q p)))))))))

(define (show-factors n)
  (display n)
  (display " =")
  (let loop ((groups (group (factors n))) (sign " "))
    (unless (null? groups)
      (display sign)
      (display (caar groups))
      (when (> (cdar groups) 1)
        (display "^")
        (display (cdar groups)))
      (loop (cdr groups) " * ")))
  (newline))

(for-each show-factors '(2 12 97 360 1001 1024 5040 9991))
(write (divisor-count 360))
(newline)
(write (divisors 60))
(newline)
(write (= 5040 (apply * (factors 5040))))
(newline)

;=> 2 = 2
;=> 12 = 2^2 * 3
;=> 97 = 97
;=> 360 = 2^3 * 3^2 * 5
;=> 1001 = 7 * 11 * 13
;=> 1024 = 2^10
;=> 5040 = 2^4 * 3^2 * 5 * 7
;=> 9991 = 97 * 103
;=> 24
;=> (1 5 3 15 2 10 6 30 4 20 12 60)
;=> #t
