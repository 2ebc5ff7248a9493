;; The power set, subsets in order of size, and cartesian products.
(import (scheme base) (scheme write))

(define (power-set items)
  (if (null? items)
      '(())
      (let ((rest (power-set (cdr items))))
        (append rest
                (map (lambda (s) (cons (car items) s)) rest)))))

;; The same with a binary counter: bit i says whether item i is in.
(define (subset-number n items)
  (cond ((null? items) '())
        ((odd? n)
         (cons (car items) (subset-number (quotient n 2) (cdr items))))
        (else (subset-number (quotient n 2) (cdr items)))))

(define (filter keep? items)
  (cond ((null? items) '())
        ((keep? (car items)) (cons (car items) (filter keep? (cdr items))))
        (else (filter keep? (cdr items)))))

(define (by-size sets largest)
  (let loop ((size 0))
    (if (> size largest)
        '()
        (append (filter (lambda (s) (= size (length s))) sets)
                (loop (+ size 1))))))

(define (product . lists)
  (if (null? lists)
      '(())
      (let ((rest (apply product (cdr lists))))
        (apply append
               (map (lambda (x)
                      (map (lambda (tail) (cons x tail)) rest))
                    (car lists))))))

(define (show x) (write x) (newline))
(show (power-set '(a b c)))
(show (by-size (power-set '(a b c)) 3))
(show (map (lambda (n) (subset-number n '(x y z))) '(0 1 2 3 4 5 6 7)))
(show (length (power-set '(1 2 3 4 5 6 7))))
(show (product '(1 2) '(a b)))
(show (product '(r) '(s t) '(u v)))
(show (product '(1 2) '()))

;=> (() (c) (b) (b c) (a) (a c) (a b) (a b c))
;=> (() (c) (b) (a) (b c) (a c) (a b) (a b c))
;=> (() (x) (y) (x y) (z) (x z) (y z) (x y z))
;=> 128
;=> ((1 a) (1 b) (2 a) (2 b))
;=> ((r s u) (r s v) (r t u) (r t v))
;=> ()
