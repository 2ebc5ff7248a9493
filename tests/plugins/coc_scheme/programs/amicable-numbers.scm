;; Amicable pairs and sociable chains from sums of divisors in a table.
(import (scheme base) (scheme write))

;; Entry n is the sum of the proper divisors of n, by a sieve.
(define (divisor-sums limit)
  (let ((sums (make-vector (+ limit 1) 1)))
    (do ((d 2 (+ d 1)))
        ((> (* 2 d) limit) sums)
      (do ((multiple (* 2 d) (+ multiple d)))
          ((> multiple limit))
        (vector-set! sums multiple (+ d (vector-ref sums multiple)))))))

(define sums (divisor-sums 300))

(define (amicable-pairs limit)
  (let loop ((a 2) (found '()))
    (if (> a limit)
        (reverse found)
        (let ((b (vector-ref sums a)))
          (loop (+ a 1)
                (if (and (< a b) (<= b limit) (= a (vector-ref sums b)))
                    (cons (cons a b) found)
                    found))))))

;; The aliquot sequence of n, until it ends or repeats.
(define (aliquot n)
  (let loop ((n n) (seen '()))
    (cond ((= n 1) (reverse (cons 1 seen)))
          ((memv n seen) (reverse (cons 'repeats seen)))
          ((>= n (vector-length sums)) (reverse (cons 'leaves seen)))
          (else (loop (vector-ref sums n) (cons n seen))))))

(write (amicable-pairs 300))
(newline)
(for-each (lambda (n)
            (write (aliquot n))
            (newline))
          '(12 28 220 95 24 180))

;=> ((220 . 284))
;=> (12 16 15 9 4 3 1)
;=> (28 repeats)
;=> (220 284 repeats)
;=> (95 25 6 repeats)
;=> (24 36 55 17 1)
;=> (180 leaves)
