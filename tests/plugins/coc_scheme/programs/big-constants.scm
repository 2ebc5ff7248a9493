;; Digits of e and of square roots, Mersenne primes, and other giants.
(import (scheme base) (scheme write) (scheme char))

(define (show x) (write x) (newline))

;; e by the series 1 + 1/1! + 1/2! + ..., scaled; two digits are spare.
(define (e-digits count)
  (let ((scale (expt 10 (+ count 2))))
    (let loop ((k 1) (term scale) (sum scale))
      (let ((next (quotient term k)))
        (if (= next 0)
            (quotient sum 1000)
            (loop (+ k 1) next (+ sum next)))))))
(show (e-digits 30))

(define (root-digits n count)
  (let-values (((root rest) (exact-integer-sqrt (* n (expt 100 count)))))
    root))
(show (root-digits 2 30))
(show (root-digits 3 20))

;; The golden ratio from Fibonacci numbers.
(define (golden count)
  (let loop ((a 1) (b 1) (n (* 3 count)))
    (if (= n 0)
        (quotient (* b (expt 10 count)) a)
        (loop b (+ a b) (- n 1)))))
(show (golden 15))

;; The test of Lucas and Lehmer for 2^p - 1.
(define (mersenne-prime? p)
  (let ((m (- (expt 2 p) 1)))
    (let loop ((s 4) (n (- p 2)))
      (if (= n 0)
          (= s 0)
          (loop (modulo (- (* s s) 2) m) (- n 1))))))
(show (map mersenne-prime? '(3 5 7 11 13 17 23 31 61 67)))

;; Perfect numbers come from Mersenne primes.
(show (map (lambda (p) (* (expt 2 (- p 1)) (- (expt 2 p) 1)))
           '(2 3 5 7 13 31)))

(define (digit-sum n)
  (apply + (map digit-value (string->list (number->string n)))))
(show (digit-sum (expt 2 100)))
(show (string-length (number->string (expt 7 300))))

;; The last digits of a tower of powers, without the tower.
(define (power-modulo b n m)
  (cond ((= n 0) 1)
        ((even? n) (power-modulo (modulo (* b b) m) (quotient n 2) m))
        (else (modulo (* b (power-modulo b (- n 1) m)) m))))
(show (power-modulo 3 (expt 3 27) (expt 10 8)))
(show (- (expt 2 127) 1))
(show (quotient (expt 10 40) (- (expt 2 64) 59)))

;=> 271828182845904523536028747135
;=> 1414213562373095048801688724209
;=> 173205080756887729352
;=> 1618033988749894
;=> (#t #t #t #f #t #t #f #t #t #f)
;=> (6 28 496 8128 33550336 2305843008139952128)
;=> 115
;=> 254
;=> 739387
;=> 170141183460469231731687303715884105727
;=> 542101086242752218737
