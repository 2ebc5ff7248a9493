;; Hindley-Milner style inference of simple types, without let.
(import (scheme base) (scheme write) (scheme cxr))

;; Type variables are mutable boxes: a record with a value and a name.
(define-record-type tvar
  (make-tvar value)
  tvar?
  (value tvar-value set-tvar-value!))

(define (fresh) (make-tvar #f))

(define (prune t)
  (if (and (tvar? t) (tvar-value t)) (prune (tvar-value t)) t))

(define (occurs? v t)
  (let ((t (prune t)))
    (or (eq? v t)
        (and (pair? t) (or (occurs? v (cadr t)) (occurs? v (caddr t)))))))

(define (unify! a b)
  (let ((a (prune a)) (b (prune b)))
    (cond ((eq? a b) #t)
          ((tvar? a)
           (if (occurs? a b) (raise 'infinite-type))
           (set-tvar-value! a b))
          ((tvar? b) (unify! b a))
          ((and (pair? a) (pair? b))
           (unify! (cadr a) (cadr b))
           (unify! (caddr a) (caddr b)))
          (else (raise 'type-mismatch)))))

(define (infer e env)
  (cond ((integer? e) 'int)
        ((boolean? e) 'bool)
        ((symbol? e)
         (let ((b (assq e env)))
           (if b (cdr b) (raise 'unbound))))
        ((eq? (car e) 'fn)
         (let* ((t (fresh))
                (result (infer (caddr e) (cons (cons (cadr e) t) env))))
           (list '-> t result)))
        ((eq? (car e) 'if)
         (unify! (infer (cadr e) env) 'bool)
         (let ((t (infer (caddr e) env)))
           (unify! t (infer (cadddr e) env))
           t))
        (else
         (let ((f (infer (car e) env)) (t (fresh)))
           (unify! f (list '-> (infer (cadr e) env) t))
           t))))

;; Name the variables a, b, ... in the order of their appearance.
(define (show t)
  (define names '())
  (define (name v)
    (unless (assq v names)
      (set! names
            (cons (cons v (string-ref "abcdefg" (length names))) names)))
    (string (cdr (assq v names))))
  (let show ((t t))
    (let ((t (prune t)))
      (if (pair? t)
          (let* ((from (show (cadr t))) (to (show (caddr t))))
            (string-append "(" from " -> " to ")"))
          (if (tvar? t) (name t) (symbol->string t))))))

(define globals
  '((add -> int (-> int int)) (zero? -> int bool) (not -> bool bool)))

(for-each
 (lambda (e)
   (display (guard (why ((symbol? why) why)) (show (infer e globals))))
   (newline))
 '(5 (fn x x) (add 1) (fn f (fn x (f (f x)))) (fn x (if (zero? x) 1 x))
   (fn f (fn g (fn x (f (g x))))) (not 1) (fn x (x x)) (if #t y 1)))

;=> int
;=> (a -> a)
;=> (int -> int)
;=> ((a -> a) -> (a -> a))
;=> (int -> int)
;=> ((a -> b) -> ((c -> a) -> (c -> b)))
;=> type-mismatch
;=> infinite-type
;=> unbound
