;; Unification of terms with variables, with the occurs check.
(import (scheme base) (scheme write))

;; A variable is a symbol that begins with a question mark.
(define (variable? t)
  (and (symbol? t)
       (char=? #\? (string-ref (symbol->string t) 0))))

(define (walk t bindings)
  (let ((b (and (variable? t) (assq t bindings))))
    (if b (walk (cdr b) bindings) t)))

(define (occurs? v t bindings)
  (let ((t (walk t bindings)))
    (cond ((eq? v t) #t)
          ((pair? t) (or (occurs? v (car t) bindings)
                         (occurs? v (cdr t) bindings)))
          (else #f))))

(define (bind v t bindings)
  (if (occurs? v t bindings)
      #f
      (cons (cons v t) bindings)))

;; The bindings that make a and b equal, or #f.
(define (unify a b bindings)
  (let ((a (walk a bindings))
        (b (walk b bindings)))
    (cond ((eqv? a b) bindings)
          ((variable? a) (bind a b bindings))
          ((variable? b) (bind b a bindings))
          ((and (pair? a) (pair? b))
           (let ((heads (unify (car a) (car b) bindings)))
             (and heads (unify (cdr a) (cdr b) heads))))
          (else #f))))

(define (resolve t bindings)
  (let ((t (walk t bindings)))
    (if (pair? t)
        (cons (resolve (car t) bindings) (resolve (cdr t) bindings))
        t)))

(define (test a b)
  (let ((bindings (unify a b '())))
    (write (if bindings (resolve a bindings) 'no))
    (newline)))

(test '(f ?x b) '(f a ?y))
(test '(f ?x ?x) '(f a b))
(test '(f ?x (g ?y)) '(f (g ?z) ?x))
(test '?x '(f ?x))
(test '(?a ?b ?c 1) '(?b ?c ?d ?d))
(test '(p . ?rest) '(p 1 2 3))

;=> (f a b)
;=> no
;=> (f (g ?z) (g ?z))
;=> no
;=> (1 1 1 1)
;=> (p 1 2 3)
