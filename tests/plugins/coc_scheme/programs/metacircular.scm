;; A metacircular evaluator for a small Scheme: lambda, if, define, set!.
(import (scheme base) (scheme write) (scheme cxr))

;; An environment is a list of frames, each a list headed by a tag.
(define (extend names values env)
  (cons (cons 'frame (map cons names values)) env))

(define (binding name env)
  (if (null? env)
      (error "unbound variable" name)
      (or (assq name (cdar env)) (binding name (cdr env)))))

(define (define! name value env)
  (let ((frame (car env)))
    (set-cdr! frame (cons (cons name value) (cdr frame)))
    name))

(define (evaluate e env)
  (cond ((symbol? e) (cdr (binding e env)))
        ((not (pair? e)) e)
        (else
         (case (car e)
           ((quote) (cadr e))
           ((if) (if (evaluate (cadr e) env)
                     (evaluate (caddr e) env)
                     (evaluate (cadddr e) env)))
           ((lambda) (list 'closure (cadr e) (cddr e) env))
           ((define) (define! (cadr e) (evaluate (caddr e) env) env))
           ((set!) (set-cdr! (binding (cadr e) env)
                             (evaluate (caddr e) env)))
           ((begin) (evaluate-all (cdr e) env))
           ((let) (evaluate `((lambda ,(map car (cadr e)) ,@(cddr e))
                              ,@(map cadr (cadr e)))
                            env))
           (else
            (apply-procedure (evaluate (car e) env)
                             (map (lambda (x) (evaluate x env))
                                  (cdr e))))))))

(define (evaluate-all body env)
  (cond ((null? (cdr body)) (evaluate (car body) env))
        (else (evaluate (car body) env)
              (evaluate-all (cdr body) env))))

(define (apply-procedure f arguments)
  (if (procedure? f)
      (apply f arguments)
      (evaluate-all (caddr f)
                    (extend (cadr f) arguments (cadddr f)))))

(define global
  (extend '(+ - * = < cons car cdr null?)
          (list + - * = < cons car cdr null?)
          '()))

(for-each
 (lambda (e)
   (write (evaluate e global))
   (newline))
 '((define fact (lambda (n) (if (= n 0) 1 (* n (fact (- n 1))))))
   (fact 10)
   (define map1
     (lambda (f l)
       (if (null? l) '() (cons (f (car l)) (map1 f (cdr l))))))
   (map1 (lambda (x) (* x x)) '(1 2 3 4))
   (let ((x 2) (y 3)) (set! x (+ x 40)) (cons x y))
   (((lambda (x) (lambda (y) (- x y))) 10) 3)))

;=> fact
;=> 3628800
;=> map1
;=> (1 4 9 16)
;=> (42 . 3)
;=> 7
