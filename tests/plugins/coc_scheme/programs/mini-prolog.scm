;; A small Prolog: Horn clauses, unification and depth-first search.
(import (scheme base) (scheme write))

(define (variable? t)
  (and (symbol? t)
       (char=? #\? (string-ref (symbol->string t) 0))))

;; The variables of a rule become vectors of their name and a number.
(define (rename t n)
  (cond ((variable? t) (vector t n))
        ((pair? t) (cons (rename (car t) n) (rename (cdr t) n)))
        (else t)))

(define (walk t env)
  (let ((b (and (vector? t) (assoc t env))))
    (if b (walk (cdr b) env) t)))

(define (unify a b env)
  (let ((a (walk a env)) (b (walk b env)))
    (cond ((equal? a b) env)
          ((vector? a) (cons (cons a b) env))
          ((vector? b) (cons (cons b a) env))
          ((and (pair? a) (pair? b))
           (let ((env (unify (car a) (car b) env)))
             (and env (unify (cdr a) (cdr b) env))))
          (else #f))))

(define (resolve t env)
  (let ((t (walk t env)))
    (if (pair? t)
        (cons (resolve (car t) env) (resolve (cdr t) env))
        t)))

(define rules
  '(((parent abe homer)) ((parent homer bart)) ((parent homer lisa))
    ((ancestor ?x ?y) (parent ?x ?y))
    ((ancestor ?x ?z) (parent ?x ?y) (ancestor ?y ?z))
    ((append () ?l ?l))
    ((append (?h . ?t) ?l (?h . ?r)) (append ?t ?l ?r))))

;; Call `found` with the environment of each proof of all goals.
(define (prove goals env depth found)
  (if (null? goals)
      (found env)
      (for-each
       (lambda (rule)
         (when (eq? (caar goals) (caar rule))
           (let* ((rule (rename rule depth))
                  (new (unify (car goals) (car rule) env)))
             (if new
                 (prove (append (cdr rule) (cdr goals))
                        new (+ depth 1) found)))))
       rules)))

(define (ask goal)
  (let ((goal (rename goal 0)))
    (prove (list goal) '() 1
           (lambda (env) (write (resolve goal env)) (newline)))))

(ask '(parent homer ?who))
(ask '(ancestor abe ?who))
(ask '(append (1 2) (3) ?l))
(ask '(append ?a ?b (x y)))

;=> (parent homer bart)
;=> (parent homer lisa)
;=> (ancestor abe homer)
;=> (ancestor abe bart)
;=> (ancestor abe lisa)
;=> (append (1 2) (3) (1 2 3))
;=> (append () (x y) (x y))
;=> (append (x) (y) (x y))
;=> (append (x y) () (x y))
