;; Reduce SKI combinator terms; compile lambda terms to combinators.
(import (scheme base) (scheme write) (scheme cxr))

;; A term is a symbol or a pair (f a) of function and argument.
(define (app f a) (list f a))

(define (reduce t)
  (if (symbol? t)
      t
      (let ((f (reduce (car t))) (a (cadr t)))
        (cond ((eq? f 'I) (reduce a))
              ((and (pair? f) (eq? (car f) 'K)) (reduce (cadr f)))
              ((and (pair? f) (pair? (car f)) (eq? (caar f) 'S))
               (reduce (app (app (cadar f) a) (app (cadr f) a))))
              (else (app f a))))))

;; Reduce everywhere, arguments too.
(define (normal t)
  (let ((t (reduce t)))
    (if (symbol? t)
        t
        (app (normal (car t)) (normal (cadr t))))))

(define (occurs? x t)
  (if (symbol? t)
      (eq? x t)
      (or (occurs? x (car t)) (occurs? x (cadr t)))))

;; The term that gives t when it is applied to x.
(define (abstract x t)
  (cond ((eq? x t) 'I)
        ((not (occurs? x t)) (app 'K t))
        (else (app (app 'S (abstract x (car t)))
                   (abstract x (cadr t))))))

(define (compile t)
  (cond ((symbol? t) t)
        ((eq? (car t) 'fn) (abstract (cadr t) (compile (caddr t))))
        (else (app (compile (car t)) (compile (cadr t))))))

(define (show t) (write t) (newline))

(show (normal '(((S K) K) x)))
(show (normal '((K a) b)))
(show (compile '(fn x (f x))))
(define swap (compile '(fn x (fn y (y x)))))
(show swap)
(show (normal (app (app swap 'a) 'b)))
(define twice (compile '(fn f (fn x (f (f x))))))
(show (normal (app (app twice 'f) 'x)))
(show (normal (app (app (app twice twice) 'f) 'x)))

;=> x
;=> a
;=> ((S (K f)) I)
;=> ((S (K (S I))) ((S (K K)) I))
;=> (b a)
;=> (f (f x))
;=> (f (f (f (f x))))
