;; eq?, eqv? and equal? on all kinds of objects, and a deep comparison.
(import (scheme base) (scheme write))

(define (show x) (write x) (newline))

(show (list (eqv? 'a 'a) (eqv? 100 100) (eqv? #\a #\a) (eqv? '() '())))
(show (list (eqv? "" "x") (eqv? (list 1) (list 1)) (eqv? #f '())))
(show (list (equal? "abc" (string #\a #\b #\c))
            (equal? '(1 (2 #(3))) (list 1 (list 2 (vector 3))))
            (equal? 2 3)))
(show (let ((p (lambda (x) x))) (list (eqv? p p) (eq? p p))))
(show (let ((x (cons 1 2))) (eq? x x)))
(show (let ((s (string #\a))) (list (eq? s s) (eq? s (string-copy s)))))
(show (eqv? (expt 10 25) (* (expt 10 20) (expt 10 5))))

;; Counters with states of their own are different procedures.
(define (make-counter)
  (let ((n 0)) (lambda () (set! n (+ n 1)) n)))
(show (let ((a (make-counter)) (b (make-counter)))
        (a)
        (list (a) (b) (eqv? a a) (eqv? a b))))

;; Are two trees equal when numbers may differ by a tolerance?
(define (almost-equal? a b tolerance)
  (cond ((and (pair? a) (pair? b))
         (and (almost-equal? (car a) (car b) tolerance)
              (almost-equal? (cdr a) (cdr b) tolerance)))
        ((and (number? a) (number? b))
         (<= (abs (- a b)) tolerance))
        (else (equal? a b))))
(show (list (almost-equal? '(1 (20 x)) '(2 (19 x)) 1)
            (almost-equal? '(1 (20 x)) '(2 (18 x)) 1)
            (almost-equal? '(1 x) '(1 y) 5)))

(define (deep-copy x)
  (cond ((pair? x) (cons (deep-copy (car x)) (deep-copy (cdr x))))
        ((vector? x) (vector-map deep-copy x))
        ((string? x) (string-copy x))
        (else x)))
(define data (list 1 (vector "two" '(three)) #\4))
(define twin (deep-copy data))
(show (list (equal? data twin) (eq? (cadr data) (cadr twin))))
(vector-set! (cadr twin) 0 "changed")
(show (list data twin))

;=> (#t #t #t #t)
;=> (#f #f #f)
;=> (#t #t #f)
;=> (#t #t)
;=> #t
;=> (#t #f)
;=> #t
;=> (2 1 #t #f)
;=> (#t #f #f)
;=> (#t #f)
;=> ((1 #("two" (three)) #\4) (1 #("changed" (three)) #\4))
