;; Church numerals, booleans and pairs as procedures.
(import (scheme base) (scheme write))

(define zero (lambda (f) (lambda (x) x)))
(define (succ n) (lambda (f) (lambda (x) (f ((n f) x)))))
(define (add m n) (lambda (f) (lambda (x) ((m f) ((n f) x)))))
(define (multiply m n) (lambda (f) (m (n f))))
(define (power m n) (n m))

(define (true a) (lambda (b) a))
(define (false a) (lambda (b) b))
(define (is-zero? n) ((n (lambda (x) false)) true))

(define (pair a b) (lambda (s) ((s a) b)))
(define (first p) (p true))
(define (second p) (p false))

;; The predecessor: count up with a pair that lags behind by one.
(define (pred n)
  (first ((n (lambda (p) (pair (second p) (succ (second p)))))
          (pair zero zero))))

(define (church n)
  (if (= n 0) zero (succ (church (- n 1)))))
(define (number n) ((n (lambda (x) (+ x 1))) 0))
(define (boolean b) ((b #t) #f))

(define two (church 2))
(define three (church 3))

(define (show x) (write x) (newline))
(show (number (add two three)))
(show (number (multiply three three)))
(show (number (power two (church 5))))
(show (number (pred (church 7))))
(show (map boolean (list (is-zero? zero) (is-zero? two))))
(show (((power two three) (lambda (s) (string-append s "*"))) "|"))

;=> 5
;=> 9
;=> 32
;=> 6
;=> (#t #f)
;=> "|********"
