;; The Miller-Rabin primality test with fixed bases, on large numbers.
(import (scheme base) (scheme write))

(define (power-modulo b n m)
  (let loop ((b (modulo b m)) (n n) (result 1))
    (if (= n 0)
        result
        (loop (modulo (* b b) m)
              (quotient n 2)
              (if (odd? n) (modulo (* result b) m) result)))))

;; n - 1 = odd * 2^twos
(define (decompose n)
  (let loop ((odd (- n 1)) (twos 0))
    (if (even? odd)
        (loop (quotient odd 2) (+ twos 1))
        (values odd twos))))

(define (passes? n base)
  (let-values (((odd twos) (decompose n)))
    (let loop ((x (power-modulo base odd n)) (k 0))
      (cond ((= x (- n 1)) #t)
            ((and (= k 0) (= x 1)) #t)
            ((= k (- twos 1)) #f)
            (else (loop (modulo (* x x) n) (+ k 1)))))))

(define (prime? n)
  (cond ((< n 2) #f)
        ((memv n '(2 3 5 7)) #t)
        ((even? n) #f)
        (else
         (let loop ((bases '(2 3 5 7)))
           (or (null? bases)
               (and (passes? n (car bases))
                    (loop (cdr bases))))))))

(for-each
 (lambda (n)
   (display n)
   (display (if (prime? n) " is prime" " is composite"))
   (newline))
 '(1 2 9 91 97 561 7919 1373653 2147483647 4294967297))

;; The next prime after a number.
(define (next-prime n)
  (if (prime? n) n (next-prime (+ n 1))))
(write (next-prime 10000))
(newline)

;=> 1 is composite
;=> 2 is prime
;=> 9 is composite
;=> 91 is composite
;=> 97 is prime
;=> 561 is composite
;=> 7919 is prime
;=> 1373653 is composite
;=> 2147483647 is prime
;=> 4294967297 is composite
;=> 10007
