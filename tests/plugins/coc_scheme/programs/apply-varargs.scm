;; Procedures with rest arguments, apply in all its forms, and composition.
(import (scheme base) (scheme write))

(define (show x) (write x) (newline))

(define (average . numbers)
  (if (null? numbers)
      'none
      (quotient (apply + numbers) (length numbers))))
(show (list (average) (average 5) (average 1 2 3 4)))

(define (tag name . children)
  (list name (length children) children))
(show (tag 'ul 'one 'two))
(show (apply tag 'ol '(a b c)))
(show (apply tag '(ul x)))
(show (apply + 1 2 '(3 4 5)))
(show (apply max '(3 1 4)))
(show ((lambda args args) 1 2 3))
(show ((lambda (a b . c) (list c b a)) 1 2))

(define (compose . fs)
  (cond ((null? fs) (lambda (x) x))
        ((null? (cdr fs)) (car fs))
        (else
         (lambda args ((car fs) (apply (apply compose (cdr fs)) args))))))
(show ((compose) 7))
(show ((compose abs -) 3 10))
(show ((compose list square abs) -4))

(define (partial f . some)
  (lambda more (apply f (append some more))))
(show (map (partial + 10) '(1 2 3)))
(show ((partial list 1 2) 3 4))

(define (flip f) (lambda (a b) (f b a)))
(show ((flip -) 1 10))
(show (apply map list '((1 2 3) (a b c) ("x" "y" "z"))))

(define (count-true . tests)
  (apply + (map (lambda (t) (if t 1 0)) tests)))
(show (count-true #t '() 0 #f "" #f))
(show (let ((f (if (> 2 1) * +))) (f 6 7)))

;=> (none 5 2)
;=> (ul 2 (one two))
;=> (ol 3 (a b c))
;=> (ul 1 (x))
;=> 15
;=> 4
;=> (1 2 3)
;=> (() 2 1)
;=> 7
;=> 7
;=> (16)
;=> (11 12 13)
;=> (1 2 3 4)
;=> 9
;=> ((1 a "x") (2 b "y") (3 c "z"))
;=> 4
;=> 42
