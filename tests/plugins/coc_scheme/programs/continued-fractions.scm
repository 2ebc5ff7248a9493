;; Continued fractions of fractions and of square roots, with integers.
(import (scheme base) (scheme write))

;; The terms of p/q.
(define (terms p q)
  (if (= q 0)
      '()
      (let-values (((whole rest) (floor/ p q)))
        (cons whole (terms q rest)))))

;; The fraction of the terms, as a pair of numerator and denominator.
(define (fraction terms)
  (if (null? (cdr terms))
      (cons (car terms) 1)
      (let ((rest (fraction (cdr terms))))
        (cons (+ (* (car terms) (car rest)) (cdr rest))
              (car rest)))))

;; The first `count` terms of the square root of n.
(define (root-terms n count)
  (let-values (((root rest) (exact-integer-sqrt n)))
    (let loop ((m 0) (d 1) (a root) (count count))
      (if (= count 0)
          '()
          (let* ((m2 (- (* d a) m))
                 (d2 (quotient (- n (* m2 m2)) d)))
            (cons a
                  (loop m2 d2 (quotient (+ root m2) d2) (- count 1))))))))

(define (show x) (write x) (newline))

(show (terms 415 93))
(show (fraction (terms 415 93)))
(show (terms -7 3))
(show (root-terms 2 8))
(show (root-terms 23 9))
(show (fraction (root-terms 2 10)))
(show (fraction '(3 7 15 1)))

;=> (4 2 6 7)
;=> (415 . 93)
;=> (-3 1 2)
;=> (1 2 2 2 2 2 2 2)
;=> (4 1 3 1 8 1 3 1 8)
;=> (3363 . 2378)
;=> (355 . 113)
