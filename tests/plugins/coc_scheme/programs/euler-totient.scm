;; Euler's totient: by counting, by factors, and Euler's theorem.
(import (scheme base) (scheme write))

(define (coprime? a b) (= 1 (gcd a b)))

(define (totient-by-counting n)
  (do ((k 1 (+ k 1))
       (count 0 (if (coprime? k n) (+ count 1) count)))
      ((> k n) count)))

(define (totient n)
  (let loop ((n n) (p 2) (result n))
    (cond ((> (* p p) n)
           (if (> n 1) (- result (quotient result n)) result))
          ((= 0 (modulo n p))
           (let strip ((n n))
             (if (= 0 (modulo n p))
                 (strip (quotient n p))
                 (loop n (+ p 1) (- result (quotient result p))))))
          (else (loop n (+ p 1) result)))))

(define (power-modulo b n m)
  (cond ((= n 0) 1)
        ((odd? n) (modulo (* b (power-modulo b (- n 1) m)) m))
        (else (power-modulo (modulo (* b b) m) (quotient n 2) m))))

(define (numbers from to)
  (if (> from to) '() (cons from (numbers (+ from 1) to))))

(define (show x) (write x) (newline))

(show (map totient (numbers 1 20)))
(show (equal? (map totient (numbers 1 25))
              (map totient-by-counting (numbers 1 25))))
(show (totient 1000000))

;; a^totient(n) = 1 modulo n when a and n share no factor.
(show (map (lambda (n) (power-modulo 7 (totient n) n)) '(10 12 15 100)))

;; The totients of the divisors of n add up to n.
(show (let loop ((d 1) (sum 0))
        (cond ((> d 36) sum)
              ((= 0 (modulo 36 d)) (loop (+ d 1) (+ sum (totient d))))
              (else (loop (+ d 1) sum)))))

;=> (1 1 2 2 4 2 6 4 6 4 10 4 12 6 8 8 16 6 18 8)
;=> #t
;=> 400000
;=> (1 1 1 1)
;=> 36
