;; Symbolic differentiation of sums, products and powers, with simplification.
(import (scheme base) (scheme write) (scheme cxr))

(define (make-sum a b)
  (cond ((and (number? a) (number? b)) (+ a b))
        ((eqv? a 0) b)
        ((eqv? b 0) a)
        (else (list '+ a b))))

(define (make-product a b)
  (cond ((and (number? a) (number? b)) (* a b))
        ((or (eqv? a 0) (eqv? b 0)) 0)
        ((eqv? a 1) b)
        ((eqv? b 1) a)
        (else (list '* a b))))

(define (make-power base n)
  (cond ((= n 0) 1)
        ((= n 1) base)
        (else (list '^ base n))))

(define (operator? e op)
  (and (pair? e) (eq? (car e) op)))

(define (deriv e var)
  (cond ((number? e) 0)
        ((symbol? e) (if (eq? e var) 1 0))
        ((operator? e '+)
         (make-sum (deriv (cadr e) var) (deriv (caddr e) var)))
        ((operator? e '*)
         (make-sum (make-product (cadr e) (deriv (caddr e) var))
                   (make-product (deriv (cadr e) var) (caddr e))))
        ((operator? e '^)
         (make-product (make-product (caddr e)
                                     (make-power (cadr e) (- (caddr e) 1)))
                       (deriv (cadr e) var)))
        (else (error "unknown expression" e))))

(define (show e)
  (write (deriv e 'x))
  (newline))

(show 7)
(show '(+ x 3))
(show '(* x y))
(show '(^ x 3))
(show '(* (* x y) (+ x 3)))
(show '(+ (* 5 (^ x 4)) (+ (* -2 x) 8)))
(show '(^ (+ (* 3 x) 1) 5))

;=> 0
;=> 1
;=> y
;=> (* 3 (^ x 2))
;=> (+ (* x y) (* y (+ x 3)))
;=> (+ (* 5 (* 4 (^ x 3))) -2)
;=> (* (* 5 (^ (+ (* 3 x) 1) 4)) 3)
