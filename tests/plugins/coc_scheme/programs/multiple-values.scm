;; Multiple values: let-values, let*-values, define-values, receive.
(import (scheme base) (scheme write))

(define-syntax receive
  (syntax-rules ()
    ((_ formals expression body ...)
     (call-with-values (lambda () expression)
       (lambda formals body ...)))))

(define (min-max numbers)
  (let loop ((rest (cdr numbers)) (low (car numbers)) (high (car numbers)))
    (if (null? rest)
        (values low high)
        (loop (cdr rest) (min low (car rest)) (max high (car rest))))))

(define (show x) (write x) (newline))

(receive (low high) (min-max '(3 1 4 1 5 9 2 6))
  (show (list low high)))
(receive all (values 1 2 3)
  (show all))
(receive (first . rest) (values 1 2 3)
  (show (list first rest)))

(let-values (((q r) (floor/ 17 5))
             ((root left) (exact-integer-sqrt 17))
             (single (values 'just-one)))
  (show (list q r root left single)))

;; let*-values may use earlier values, let-values sees the outer ones.
(let ((a 1) (b 2))
  (let-values (((a b) (values b a))
               ((c) (values a)))
    (show (list a b c)))
  (let*-values (((a b) (values b a))
                ((c) (values a)))
    (show (list a b c))))

(define-values (hours minutes) (truncate/ 135 60))
(define-values (head . tail) (values 'h 't1 't2))
(show (list hours minutes head tail))

(define (swap-inside)
  (define-values (x y) (values 1 2))
  (define z (+ x y))
  (list y x z))
(show (swap-inside))
(show (call-with-values (lambda () (values)) list))
(show (call-with-values * -))
(show (+ 1 (call/cc (lambda (k) (k 41)))))
(show (call-with-values (lambda () (call/cc (lambda (k) (k 1 2)))) cons))

;=> (1 9)
;=> (1 2 3)
;=> (1 (2 3))
;=> (3 2 4 1 (just-one))
;=> (2 1 1)
;=> (2 1 2)
;=> (2 15 h (t1 t2))
;=> (2 1 3)
;=> ()
;=> -1
;=> 42
;=> (1 . 2)
