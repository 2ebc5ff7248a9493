;; An evaluator that evaluates itself, which then evaluates a program.
(import (scheme base) (scheme write) (scheme cxr))

;; The evaluator as data, in the small language that it evaluates.
(define source
  '(define-all
    (lookup (lambda (name env)
              (if (eq? name (car (car env)))
                  (cdr (car env))
                  (lookup name (cdr env)))))
    (bind (lambda (names values env)
            (if (null? names)
                env
                (cons (cons (car names) (car values))
                      (bind (cdr names) (cdr values) env)))))
    (ev-list (lambda (es env)
               (if (null? es)
                   '()
                   (cons (ev (car es) env) (ev-list (cdr es) env)))))
    (call (lambda (f arguments)
            (if (procedure? f)
                (apply f arguments)
                (ev (cadr f) (bind (car f) arguments (cddr f))))))
    (ev (lambda (e env)
          (if (symbol? e)
              (lookup e env)
              (if (pair? e)
                  (if (eq? (car e) 'quote)
                      (cadr e)
                      (if (eq? (car e) 'if)
                          (if (ev (cadr e) env)
                              (ev (caddr e) env)
                              (ev (cadddr e) env))
                          (if (eq? (car e) 'lambda)
                              (cons (cadr e) (cons (caddr e) env))
                              (call (ev (car e) env)
                                    (ev-list (cdr e) env)))))
                  e))))))

;; The same evaluator by hand, for the lowest level.
(define (ev e env)
  (cond ((symbol? e) (cdr (assq e env)))
        ((not (pair? e)) e)
        ((eq? (car e) 'quote) (cadr e))
        ((eq? (car e) 'if)
         (ev (if (ev (cadr e) env) (caddr e) (cadddr e)) env))
        ((eq? (car e) 'lambda)
         (lambda arguments
           (ev (caddr e) (append (map cons (cadr e) arguments) env))))
        (else (apply (ev (car e) env)
                     (map (lambda (x) (ev x env)) (cdr e))))))

(define primitives
  (list (cons 'eq? eq?) (cons 'car car) (cons 'cdr cdr) (cons 'cons cons)
        (cons 'cadr cadr) (cons 'cddr cddr) (cons 'caddr caddr)
        (cons 'cadddr cadddr) (cons 'null? null?) (cons 'pair? pair?)
        (cons 'symbol? symbol?) (cons 'procedure? procedure?)
        (cons 'apply apply) (cons '+ +) (cons '* *)))

;; Define the inner evaluator: its names are bound before its values are made.
(define env
  (append (map (lambda (d) (cons (car d) #f)) (cdr source)) primitives))
(for-each (lambda (d) (set-cdr! (assq (car d) env) (ev (cadr d) env)))
          (cdr source))
(define inner (cdr (assq 'ev env)))

(define program '((lambda (f x) (f (f x))) (lambda (n) (* n n)) (+ 1 2)))

(write (ev program primitives))
(newline)
(write (inner program (list (cons '+ +) (cons '* *))))
(newline)

;=> 81
;=> 81
