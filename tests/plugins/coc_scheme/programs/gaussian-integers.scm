;; Gaussian integers a + bi as pairs: norm, division, gcd, primes.
(import (scheme base) (scheme write))

(define (make a b) (cons a b))
(define re car)
(define im cdr)

(define (add z w) (make (+ (re z) (re w)) (+ (im z) (im w))))
(define (sub z w) (make (- (re z) (re w)) (- (im z) (im w))))
(define (mul z w)
  (make (- (* (re z) (re w)) (* (im z) (im w)))
        (+ (* (re z) (im w)) (* (im z) (re w)))))
(define (conjugate z) (make (re z) (- (im z))))
(define (norm z) (+ (square (re z)) (square (im z))))

;; The nearest integer to n/d.
(define (round-quotient n d)
  (floor-quotient (+ (* 2 n) d) (* 2 d)))

(define (quotient* z w)
  (let ((top (mul z (conjugate w)))
        (n (norm w)))
    (make (round-quotient (re top) n) (round-quotient (im top) n))))

(define (remainder* z w)
  (sub z (mul w (quotient* z w))))

(define (gcd* z w)
  (if (= 0 (norm w)) z (gcd* w (remainder* z w))))

(define (show z)
  (display (re z))
  (display (if (< (im z) 0) " - " " + "))
  (display (abs (im z)))
  (display "i")
  (newline))

(define z (make 3 4))
(define w (make 1 -2))
(show (add z w))
(show (mul z w))
(show (mul z (conjugate z)))
(show (quotient* (make 27 -23) (make 8 1)))
(show (remainder* (make 27 -23) (make 8 1)))
(show (gcd* (make 11 3) (make 1 8)))

;; A prime of the form 4k + 1 is a sum of two squares, by a gcd.
(define (two-squares p)
  (let loop ((x 1))
    (if (= 0 (modulo (+ 1 (* x x)) p))
        (let ((g (gcd* (make p 0) (make x 1))))
          (list p (square (re g)) (square (im g))))
        (loop (+ x 1)))))
(write (map two-squares '(5 13 29 97)))
(newline)

;=> 4 + 2i
;=> 11 - 2i
;=> 25 + 0i
;=> 3 - 3i
;=> 0 - 2i
;=> -1 + 2i
;=> ((5 4 1) (13 4 9) (29 25 4) (97 81 16))
