;; The sieve of Eratosthenes on a vector of flags.
(import (scheme base) (scheme write))

(define (sieve limit)
  (let ((prime (make-vector (+ limit 1) #t)))
    (vector-set! prime 0 #f)
    (vector-set! prime 1 #f)
    (do ((p 2 (+ p 1)))
        ((> (* p p) limit) prime)
      (when (vector-ref prime p)
        (do ((multiple (* p p) (+ multiple p)))
            ((> multiple limit))
          (vector-set! prime multiple #f))))))

(define (primes-up-to limit)
  (let ((prime (sieve limit)))
    (let loop ((n limit) (found '()))
      (cond ((< n 2) found)
            ((vector-ref prime n) (loop (- n 1) (cons n found)))
            (else (loop (- n 1) found))))))

(define (twins primes)
  (cond ((or (null? primes) (null? (cdr primes))) '())
        ((= (- (cadr primes) (car primes)) 2)
         (cons (cons (car primes) (cadr primes)) (twins (cdr primes))))
        (else (twins (cdr primes)))))

(define found (primes-up-to 120))
(display found)
(newline)
(display (length found))
(newline)
(display (twins found))
(newline)

;=> (2 3 5 7 11 13 17 19 23 29 31 37 41 43 47 53 59 61 67 71 73 79 83 89 97 101 103 107 109 113)
;=> 30
;=> ((3 . 5) (5 . 7) (11 . 13) (17 . 19) (29 . 31) (41 . 43) (59 . 61) (71 . 73) (101 . 103) (107 . 109))
