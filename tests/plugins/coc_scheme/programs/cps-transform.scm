;; Continuation-passing style: by hand, and by a program that converts.
(import (scheme base) (scheme write) (scheme cxr))

(define (show x) (write x) (newline))

;; By hand: factorial, and division that may fail.
(define (fact/k n k)
  (if (= n 0) (k 1) (fact/k (- n 1) (lambda (v) (k (* n v))))))
(fact/k 10 show)

(define (divide/k a b ok failed)
  (if (= b 0) (failed 'zero) (ok (quotient a b))))
(define (average/k items ok failed)
  (divide/k (apply + items) (length items) ok failed))
(average/k '(1 2 3) show show)
(average/k '() show show)

;; Two results instead of one.
(define (partition/k ok? items k)
  (if (null? items)
      (k '() '())
      (partition/k ok? (cdr items)
                   (lambda (in out)
                     (if (ok? (car items))
                         (k (cons (car items) in) out)
                         (k in (cons (car items) out)))))))
(partition/k even? '(1 2 3 4 5) (lambda (in out) (show (list in out))))

;; Convert terms: symbols, (fn x body), (f a).
(define counter 0)
(define (fresh base)
  (set! counter (+ counter 1))
  (string->symbol (string-append base (number->string counter))))

(define (convert e k)
  (cond ((symbol? e) (k e))
        ((eq? (car e) 'fn)
         (let ((c (fresh "k")))
           (k `(fn (,(cadr e) ,c)
                   ,(convert (caddr e) (lambda (v) `(,c ,v)))))))
        (else
         (convert (car e)
                  (lambda (f)
                    (convert (cadr e)
                             (lambda (a)
                               (let ((v (fresh "v")))
                                 `(,f ,a (fn (,v) ,(k v)))))))))))

(define (halt v) `(halt ,v))
(show (convert 'x halt))
(show (convert '(f x) halt))
(show (convert '(fn x x) halt))
(show (convert '(f (g x)) halt))
(show (convert '((fn x (x x)) y) halt))

;=> 3628800
;=> 2
;=> zero
;=> ((2 4) (1 3 5))
;=> (halt x)
;=> (f x (fn (v1) (halt v1)))
;=> (halt (fn (x k2) (k2 x)))
;=> (g x (fn (v3) (f v3 (fn (v4) (halt v4)))))
;=> ((fn (x k5) (x x (fn (v6) (k5 v6)))) y (fn (v7) (halt v7)))
