;; Folds and unfolds: many list procedures from two schemes of recursion.
(import (scheme base) (scheme write))

(define (fold-right f end items)
  (if (null? items)
      end
      (f (car items) (fold-right f end (cdr items)))))

(define (fold-left f start items)
  (if (null? items)
      start
      (fold-left f (f start (car items)) (cdr items))))

(define (unfold stop? item next seed)
  (if (stop? seed)
      '()
      (cons (item seed) (unfold stop? item next (next seed)))))

(define (my-append a b) (fold-right cons b a))
(define (my-map f items)
  (fold-right (lambda (x rest) (cons (f x) rest)) '() items))
(define (my-reverse items)
  (fold-left (lambda (rest x) (cons x rest)) '() items))
(define (my-length items) (fold-left (lambda (n x) (+ n 1)) 0 items))
(define (filter ok? items)
  (fold-right (lambda (x rest) (if (ok? x) (cons x rest) rest)) '() items))
(define (flatten tree)
  (cond ((null? tree) '())
        ((pair? tree) (append (flatten (car tree)) (flatten (cdr tree))))
        (else (list tree))))

(define (range a b)
  (unfold (lambda (i) (= i b)) (lambda (i) i) (lambda (i) (+ i 1)) a))
(define (digits n base)
  (my-reverse
   (unfold zero?
           (lambda (n) (modulo n base))
           (lambda (n) (quotient n base))
           n)))
(define (zip a b)
  (unfold (lambda (s) (or (null? (car s)) (null? (cdr s))))
          (lambda (s) (list (caar s) (cadr s)))
          (lambda (s) (cons (cdar s) (cddr s)))
          (cons a b)))

(define (show x) (write x) (newline))
(show (my-append '(1 2) '(3)))
(show (my-map square (range 1 6)))
(show (my-reverse '(a b c)))
(show (my-length (range 0 12)))
(show (filter odd? (range 0 10)))
(show (fold-right list 'end '(1 2 3)))
(show (fold-left list 'start '(1 2 3)))
(show (flatten '(1 (2 (3 ())) ((4)) . 5)))
(show (digits 1994 10))
(show (digits 255 2))
(show (zip '(a b c) '(1 2)))
(show (fold-left max 0 '(3 9 2)))

;=> (1 2 3)
;=> (1 4 9 16 25)
;=> (c b a)
;=> 12
;=> (1 3 5 7 9)
;=> (1 (2 (3 end)))
;=> (((start 1) 2) 3)
;=> (1 2 3 4 5)
;=> (1 9 9 4)
;=> (1 1 1 1 1 1 1 1)
;=> ((a 1) (b 2))
;=> 9
