;; A small relational language in the manner of miniKanren.
(import (scheme base) (scheme write))

;; Variables are vectors with a number; a state is (substitution . count).
(define (var n) (vector n))
(define (var? x) (vector? x))

(define (walk t s)
  (let ((b (and (var? t) (assoc t s))))
    (if b (walk (cdr b) s) t)))

(define (unify a b s)
  (let ((a (walk a s)) (b (walk b s)))
    (cond ((equal? a b) s)
          ((var? a) (cons (cons a b) s))
          ((var? b) (cons (cons b a) s))
          ((and (pair? a) (pair? b))
           (let ((s (unify (car a) (car b) s)))
             (and s (unify (cdr a) (cdr b) s))))
          (else #f))))

(define (== a b)
  (lambda (state)
    (let ((s (unify a b (car state))))
      (if s (list (cons s (cdr state))) '()))))

(define (call/fresh f)
  (lambda (state)
    ((f (var (cdr state))) (cons (car state) (+ 1 (cdr state))))))

;; Streams of states may be delayed by thunks, which interleaves them.
(define (mplus a b)
  (cond ((null? a) b)
        ((procedure? a) (lambda () (mplus b (a))))
        (else (cons (car a) (mplus (cdr a) b)))))
(define (bind stream goal)
  (cond ((null? stream) '())
        ((procedure? stream) (lambda () (bind (stream) goal)))
        (else (mplus (goal (car stream)) (bind (cdr stream) goal)))))

(define (disj a b) (lambda (state) (mplus (a state) (b state))))
(define (conj a b) (lambda (state) (bind (a state) b)))

(define-syntax delayed
  (syntax-rules ()
    ((_ goal) (lambda (state) (lambda () (goal state))))))
(define-syntax fresh
  (syntax-rules ()
    ((_ () goal) goal)
    ((_ () goal more ...) (conj goal (fresh () more ...)))
    ((_ (x y ...) goal ...)
     (call/fresh (lambda (x) (fresh (y ...) goal ...))))))

(define (take n stream)
  (cond ((or (= n 0) (null? stream)) '())
        ((procedure? stream) (take n (stream)))
        (else (cons (car stream) (take (- n 1) (cdr stream))))))
(define (reify t s)
  (let ((t (walk t s)))
    (cond ((var? t) '_)
          ((pair? t) (cons (reify (car t) s) (reify (cdr t) s)))
          (else t))))
(define (run n f)
  (map (lambda (state) (reify (var 0) (car state)))
       (take n ((call/fresh f) '(() . 0)))))

(define (appendo a b c)
  (disj (fresh () (== a '()) (== b c))
        (fresh (h t r)
          (== a (cons h t))
          (== c (cons h r))
          (delayed (appendo t b r)))))

(define (show x) (write x) (newline))
(show (run 9 (lambda (q) (disj (== q 'tea) (== q 'coffee)))))
(show (run 9 (lambda (q) (appendo '(1 2) '(3) q))))
(show (run 9 (lambda (q) (appendo q '(c) '(a b c)))))
(show (run 9 (lambda (q)
               (fresh (x y) (appendo x y '(1 2)) (== q (list x y))))))
(show (run 3 (lambda (q) (fresh (x) (appendo q '(z) x)))))

;=> (tea coffee)
;=> ((1 2 3))
;=> ((a b))
;=> ((() (1 2)) ((1) (2)) ((1 2) ()))
;=> (() (_) (_ _))
