;; Currying, pipelines, point-free style and other higher-order tools.
(import (scheme base) (scheme write))

(define (curry f n . given)
  (if (= n (length given))
      (apply f given)
      (lambda more (apply curry f n (append given more)))))

(define (compose f g) (lambda (x) (f (g x))))
(define (identity x) x)
(define (constantly x) (lambda ignored x))

(define (pipe x . steps)
  (if (null? steps)
      x
      (apply pipe ((car steps) x) (cdr steps))))

(define (repeated f n)
  (if (= n 0) identity (compose f (repeated f (- n 1)))))

(define (fold f start items)
  (if (null? items)
      start
      (fold f (f start (car items)) (cdr items))))

(define (mapping f) (lambda (items) (map f items)))
(define (folding f start) (lambda (items) (fold f start items)))
(define (keeping ok?)
  (folding (lambda (found x) (if (ok? x) (append found (list x)) found))
           '()))

(define (show x) (write x) (newline))

(define add3 (curry (lambda (a b c) (+ a b c)) 3))
(show (((add3 1) 2) 3))
(show ((add3 1 2) 3))
(show ((add3 1) 2 3))
(show (add3 1 2 3))
(show (map (curry * 2 10) '(1 2 3)))
(show ((repeated (lambda (x) (* 2 x)) 10) 1))
(show (pipe '(1 2 3 4 5 6)
            (keeping even?)
            (mapping square)
            (folding + 0)))
(show (pipe "no steps"))
(show (fold (lambda (list x) (cons x list)) '() '(1 2 3)))
(show (map (constantly 'same) '(1 2 3)))
(show ((fold compose identity (list car cdr cdr)) '(a b c)))

;=> 6
;=> 6
;=> 6
;=> 6
;=> (10 20 30)
;=> 1024
;=> 56
;=> "no steps"
;=> (3 2 1)
;=> (same same same)
;=> c
