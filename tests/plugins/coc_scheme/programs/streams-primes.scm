;; Infinite streams with delayed tails; the sieve of Eratosthenes on a stream.
(import (scheme base) (scheme write) (scheme lazy))

(define-syntax stream-cons
  (syntax-rules ()
    ((_ head tail) (cons head (delay tail)))))

(define (stream-cdr s) (force (cdr s)))

(define (integers-from n)
  (stream-cons n (integers-from (+ n 1))))

(define (stream-filter keep? s)
  (if (keep? (car s))
      (stream-cons (car s) (stream-filter keep? (stream-cdr s)))
      (stream-filter keep? (stream-cdr s))))

(define (stream-map f a b)
  (stream-cons (f (car a) (car b))
               (stream-map f (stream-cdr a) (stream-cdr b))))

(define (take n s)
  (if (= n 0)
      '()
      (cons (car s) (take (- n 1) (stream-cdr s)))))

(define (sieve s)
  (let ((p (car s)))
    (stream-cons
     p
     (sieve (stream-filter (lambda (n) (not (= 0 (remainder n p))))
                           (stream-cdr s))))))

(define fibs
  (stream-cons 0 (stream-cons 1 (stream-map + fibs (stream-cdr fibs)))))

(display (take 10 (integers-from 1)))
(newline)
(display (take 15 (sieve (integers-from 2))))
(newline)
(display (take 20 fibs))
(newline)

;=> (1 2 3 4 5 6 7 8 9 10)
;=> (2 3 5 7 11 13 17 19 23 29 31 37 41 43 47)
;=> (0 1 1 2 3 5 8 13 21 34 55 89 144 233 377 610 987 1597 2584 4181)
