;; Sets of numbers and symbols as lists without duplicates.
(import (scheme base) (scheme write))

(define (adjoin x set)
  (if (member x set) set (cons x set)))

(define (list->set items)
  (if (null? items)
      '()
      (adjoin (car items) (list->set (cdr items)))))

(define (union a b)
  (if (null? a)
      b
      (adjoin (car a) (union (cdr a) b))))

(define (intersection a b)
  (cond ((null? a) '())
        ((member (car a) b) (cons (car a) (intersection (cdr a) b)))
        (else (intersection (cdr a) b))))

(define (difference a b)
  (cond ((null? a) '())
        ((member (car a) b) (difference (cdr a) b))
        (else (cons (car a) (difference (cdr a) b)))))

(define (subset? a b)
  (or (null? a)
      (and (member (car a) b) (subset? (cdr a) b))))

(define (set=? a b)
  (and (subset? a b) (subset? b a)))

(define primes '(2 3 5 7 11))
(define odds '(1 3 5 7 9 11))

(display (union primes odds)) (newline)
(display (intersection primes odds)) (newline)
(display (difference odds primes)) (newline)
(display (list->set '(a b a c b d a))) (newline)
(display (subset? '(3 7) primes)) (newline)
(display (set=? '(1 2 3) '(3 1 2))) (newline)
(display (set=? '(1 2) '(1 2 3))) (newline)

;=> (2 1 3 5 7 9 11)
;=> (3 5 7 11)
;=> (1 9)
;=> (c b d a)
;=> #t
;=> #t
;=> #f
