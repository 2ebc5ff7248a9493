;; What is there decides which code is taken; macros for a body alone.
(import (scheme base) (only (scheme write) display write))

(cond-expand
 ((and r7rs (not no-such-feature)) (define kind "r7rs"))
 (else (define kind "other")))
(display kind)
(newline)
(display (cond-expand ((or no-such-feature (not r7rs)) 1)
                      ((library (scheme base)) 2)
                      (else 3)))
(newline)

(define (twice x) (* 2 x))
(define (f x)
  (let-syntax ((twice (syntax-rules () ((_ y) (list y (twice y)))))
               (thrice (syntax-rules () ((_ y) (+ y (twice y))))))
    (list (twice x) (thrice x))))
(write (f 5))
(newline)
(write (letrec-syntax
           ((down (syntax-rules () ((_) '()) ((_ x . y) (cons 'x (down . y))))))
         (down a b c)))
(newline)
(define x `(1 `(2 ,(3 ,(+ 1 3) ,@(list 5 6))) #(a ,(* 2 2)) . ,(car '(end))))
(write (cons (cadr (cadr (cadr (cadr x)))) (cddr x)))
(newline)

;=> r7rs
;=> 2
;=> ((5 10) 15)
;=> (a b c)
;=> ((3 4 5 6) #(a 4) . end)
