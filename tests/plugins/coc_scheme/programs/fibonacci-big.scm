;; Fibonacci numbers: by a loop, by fast doubling, far beyond small integers.
(import (scheme base) (scheme write))

(define (fib n)
  (let loop ((a 0) (b 1) (n n))
    (if (= n 0)
        a
        (loop b (+ a b) (- n 1)))))

;; F(2k) = F(k) (2 F(k+1) - F(k)),  F(2k+1) = F(k)^2 + F(k+1)^2
(define (fast-fib n)
  (define (pair n)
    (if (= n 0)
        (values 0 1)
        (let-values (((a b) (pair (quotient n 2))))
          (let ((c (* a (- (* 2 b) a)))
                (d (+ (* a a) (* b b))))
            (if (even? n)
                (values c d)
                (values d (+ c d)))))))
  (let-values (((a b) (pair n))) a))

(display (map fib '(0 1 2 3 4 5 6 7 8 9 10)))
(newline)
(for-each (lambda (n)
            (display n)
            (display " ")
            (display (fast-fib n))
            (newline))
          '(30 60 90 100 200))
(display (= (fib 150) (fast-fib 150)))
(newline)

;=> (0 1 1 2 3 5 8 13 21 34 55)
;=> 30 832040
;=> 60 1548008755920
;=> 90 2880067194370816120
;=> 100 354224848179261915075
;=> 200 280571172992510140037611932413038677189525
;=> #t
