;; Macros with nested ellipses, tail patterns, vectors, and own ellipses.
(import (scheme base) (scheme write))

(define (show x) (write x) (newline))

(define-syntax my-let*
  (syntax-rules ()
    ((_ () body ...) (let () body ...))
    ((_ ((name value) more ...) body ...)
     (let ((name value)) (my-let* (more ...) body ...)))))
(show (my-let* ((x 1) (y (+ x 1)) (z (* y 10))) (list x y z)))

;; Clauses of any number, each with any number of parts.
(define-syntax table
  (syntax-rules ()
    ((_ (key value ...) ...)
     (list (cons 'key (list value ...)) ...))))
(show (table (a 1 2) (b) (c (+ 1 2) 4 5)))

;; Flatten two levels in the template.
(define-syntax flat
  (syntax-rules ()
    ((_ (x ...) ...) '(x ... ...))))
(show (flat (1 2) () (3) (4 5 6)))

;; Patterns with something after the ellipsis.
(define-syntax last-of
  (syntax-rules ()
    ((_ first ... last) 'last)))
(show (last-of a b c))
(define-syntax around
  (syntax-rules ()
    ((_ (first middle ... last)) '(last middle ... first))))
(show (around (1 2 3 4)))

;; Vectors in patterns and templates.
(define-syntax vector-pairs
  (syntax-rules ()
    ((_ #(a b) ...) '#((b . a) ...))))
(show (vector-pairs #(1 2) #(3 4)))

;; Groups of bindings, as in let-values by hand.
(define-syntax my-let-lists
  (syntax-rules ()
    ((_ (((name ...) value) ...) body ...)
     (apply (lambda (name ... ...) body ...)
            (append value ...)))))
(show (my-let-lists (((a b) '(1 2)) ((c) '(3))) (+ a (* b c))))

;; A macro that defines a macro needs (... ...) for the inner ellipsis.
(define-syntax define-list-maker
  (syntax-rules ()
    ((_ name prefix ...)
     (define-syntax name
       (syntax-rules ()
         ((_ x (... ...)) (list prefix ... x (... ...))))))))
(define-list-maker listed 'head "of")
(show (listed 1 2 3))

;; Another symbol in the role of the ellipsis.
(define-syntax dotted
  (syntax-rules ::: ()
    ((_ a b :::) '(a (b a) :::))))
(show (dotted x 1 2 3))

;=> (1 2 20)
;=> ((a 1 2) (b) (c 3 4 5))
;=> (1 2 3 4 5 6)
;=> c
;=> (4 2 3 1)
;=> #((2 . 1) (4 . 3))
;=> 7
;=> (head "of" 1 2 3)
;=> (x (1 x) (2 x) (3 x))
