;; Reduce terms of the lambda calculus to normal form, with fresh names.
(import (scheme base) (scheme write) (scheme cxr))

;; A term: a symbol, (fn x body), or (f a).
(define (fn? t) (and (pair? t) (eq? (car t) 'fn)))

(define (free? x t)
  (cond ((symbol? t) (eq? x t))
        ((fn? t) (and (not (eq? x (cadr t))) (free? x (caddr t))))
        (else (or (free? x (car t)) (free? x (cadr t))))))

(define counter 0)
(define (fresh)
  (set! counter (+ counter 1))
  (string->symbol (string-append "v" (number->string counter))))

(define (substitute t x new)
  (cond ((symbol? t) (if (eq? t x) new t))
        ((not (fn? t))
         (map (lambda (part) (substitute part x new)) t))
        ((eq? (cadr t) x) t)
        ((free? (cadr t) new)
         (let ((y (fresh)))
           `(fn ,y ,(substitute (substitute (caddr t) (cadr t) y) x new))))
        (else `(fn ,(cadr t) ,(substitute (caddr t) x new)))))

;; One step in normal order, or #f.
(define (step t)
  (cond ((symbol? t) #f)
        ((fn? t)
         (let ((body (step (caddr t))))
           (and body `(fn ,(cadr t) ,body))))
        ((fn? (car t))
         (substitute (caddr (car t)) (cadr (car t)) (cadr t)))
        ((step (car t)) => (lambda (f) (list f (cadr t))))
        ((step (cadr t)) => (lambda (a) (list (car t) a)))
        (else #f)))

(define (normalise t)
  (let loop ((t t) (steps 0))
    (let ((next (step t)))
      (if next
          (loop next (+ steps 1))
          (begin (write steps) (display ": ") (write t) (newline))))))

(define true '(fn x (fn y x)))
(define two '(fn f (fn x (f (f x)))))
(define plus '(fn m (fn n (fn f (fn x ((m f) ((n f) x)))))))
(define loop '((fn x (x x)) (fn x (x x))))

(normalise '((fn x x) y))
(normalise `((,true a) b))
(normalise `((,true a) ,loop))
(normalise '((fn x (fn y (x y))) y))
(normalise `((,plus ,two) ,two))
(normalise `(,two ,two))

;=> 1: y
;=> 2: a
;=> 2: a
;=> 1: (fn v1 (y v1))
;=> 6: (fn f (fn x (f (f (f (f x))))))
;=> 6: (fn x (fn v2 (x (x (x (x v2))))))
