;; A zipper: move about in a list or a tree and edit at the focus.
(import (scheme base) (scheme write) (scheme cxr))

;; Lists: what is before (nearest first), the focus, what is after.
(define (open items) (list '() (car items) (cdr items)))
(define before car)
(define focus cadr)
(define after caddr)

(define (right z)
  (if (null? (after z))
      z
      (list (cons (focus z) (before z)) (car (after z)) (cdr (after z)))))
(define (left z)
  (if (null? (before z))
      z
      (list (cdr (before z)) (car (before z)) (cons (focus z) (after z)))))
(define (edit f z) (list (before z) (f (focus z)) (after z)))
(define (insert x z) (list (cons x (before z)) (focus z) (after z)))
(define (close z)
  (append (reverse (before z)) (list (focus z)) (after z)))

(define (chain z . steps)
  (if (null? steps) z (apply chain ((car steps) z) (cdr steps))))

;; Trees: a location is the subtree with the lists of zippers above it.
(define (top tree) (cons tree '()))
(define (down loc)
  (let ((z (open (car loc))))
    (cons (focus z) (cons z (cdr loc)))))
(define (sideways move)
  (lambda (loc)
    (let ((z (move (edit (lambda (old) (car loc)) (cadr loc)))))
      (cons (focus z) (cons z (cddr loc))))))
(define next (sideways right))
(define (up loc)
  (cons (close (edit (lambda (old) (car loc)) (cadr loc)))
        (cddr loc)))
(define (replace x) (lambda (loc) (cons x (cdr loc))))
(define (root loc) (if (null? (cdr loc)) (car loc) (root (up loc))))

(define (show x) (write x) (newline))

(define z (open '(a b c d)))
(show (focus (chain z right right)))
(show (chain z right right))
(show (close (chain z right (lambda (z) (edit list z)) right
                    (lambda (z) (insert 'new z)))))
(show (focus (chain z right right right right left)))

(define tree '(* (+ 1 2) (- 3 (+ 4 5))))
(show (car (chain (top tree) down next next down next next)))
(show (root (chain (top tree) down next next down next (replace 33))))
(show (root (chain (top tree) down next (replace 'x)
                   next down next next (replace 'y))))
(show (car (chain (top tree) down next down (replace 'plus) up)))
(show tree)

;=> c
;=> ((b a) c (d))
;=> (a (b) new c d)
;=> c
;=> (+ 4 5)
;=> (* (+ 1 2) (- 33 (+ 4 5)))
;=> (* x (- 3 y))
;=> (plus 1 2)
;=> (* (+ 1 2) (- 3 (+ 4 5)))
