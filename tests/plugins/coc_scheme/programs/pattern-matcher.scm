;; Pattern matching on lists: variables, segments, rules of rewriting.
(import (scheme base) (scheme write) (scheme cxr))

;; (? x) matches one item, (?? x) any number of items in a row.
(define (variable? p) (and (pair? p) (eq? (car p) '?)))
(define (segment? p) (and (pair? p) (eq? (car p) '??)))

(define (bind name value bindings)
  (let ((known (assq name bindings)))
    (cond ((not known) (cons (cons name value) bindings))
          ((equal? (cdr known) value) bindings)
          (else #f))))

;; The bindings under which the pattern equals the datum, or #f.
(define (match p x bindings)
  (cond ((not bindings) #f)
        ((variable? p) (bind (cadr p) x bindings))
        ((and (pair? p) (segment? (car p)))
         (match-segment (cadr (car p)) (cdr p) x '() bindings))
        ((and (pair? p) (pair? x))
         (match (cdr p) (cdr x) (match (car p) (car x) bindings)))
        ((equal? p x) bindings)
        (else #f)))

(define (match-segment name rest x taken bindings)
  (or (match rest x (bind name (reverse taken) bindings))
      (and (pair? x)
           (match-segment name rest (cdr x) (cons (car x) taken) bindings))))

(define (instantiate p bindings)
  (cond ((variable? p) (cdr (assq (cadr p) bindings)))
        ((and (pair? p) (segment? (car p)))
         (append (cdr (assq (cadr (car p)) bindings))
                 (instantiate (cdr p) bindings)))
        ((pair? p)
         (cons (instantiate (car p) bindings)
               (instantiate (cdr p) bindings)))
        (else p)))

(define algebra
  '(((+ (? x) 0) (? x))
    ((+ 0 (? x)) (? x))
    ((* (? x) 1) (? x))
    ((* 1 (? x)) (? x))
    ((* (? x) 0) 0)
    ((+ (? x) (? x)) (* 2 (? x)))))

(define (simplify x)
  (let ((x (if (pair? x) (map simplify x) x)))
    (let loop ((rules algebra))
      (if (null? rules)
          x
          (let ((bindings (match (car (car rules)) x '())))
            (if bindings
                (simplify (instantiate (cadr (car rules)) bindings))
                (loop (cdr rules))))))))

(define (show x) (write x) (newline))
(show (match '(a (? x) c) '(a b c) '()))
(show (match '((? x) (? x)) '(1 2) '()))
(show (match '(i (?? verb) you (?? rest)) '(i really like you a lot) '()))
(show (match '((?? a) x (?? b)) '(1 2 3) '()))
(show (instantiate '(so (?? r) (? x)) '((x . end) (r 1 2))))
(show (simplify '(+ (* 1 a) (+ 0 0))))
(show (simplify '(+ (* b 1) (+ b (* c 0)))))

;=> ((x . b))
;=> #f
;=> ((rest a lot) (verb really like))
;=> #f
;=> (so 1 2 end)
;=> a
;=> (* 2 b)
