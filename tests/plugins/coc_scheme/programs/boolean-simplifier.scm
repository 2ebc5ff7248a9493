;; Simplify boolean formulas, push negations inward, and print them.
(import (scheme base) (scheme write) (scheme cxr))

(define (op? f name) (and (pair? f) (eq? (car f) name)))

;; Negation normal form.
(define (nnf f)
  (cond ((not (pair? f)) f)
        ((op? f 'implies) (nnf `(or (not ,(cadr f)) ,(caddr f))))
        ((op? f 'not)
         (let ((g (cadr f)))
           (cond ((boolean? g) (not g))
                 ((symbol? g) f)
                 ((op? g 'not) (nnf (cadr g)))
                 ((op? g 'and)
                  (nnf `(or (not ,(cadr g)) (not ,(caddr g)))))
                 ((op? g 'or)
                  (nnf `(and (not ,(cadr g)) (not ,(caddr g)))))
                 (else (nnf `(not ,(nnf g)))))))
        (else (list (car f) (nnf (cadr f)) (nnf (caddr f))))))

(define (opposite? a b)
  (or (equal? a `(not ,b)) (equal? b `(not ,a))))

;; `zero` absorbs, `one` is neutral.
(define (join name a b zero one)
  (cond ((or (eqv? a zero) (eqv? b zero)) zero)
        ((eqv? a one) b)
        ((eqv? b one) a)
        ((equal? a b) a)
        ((opposite? a b) zero)
        (else (list name a b))))

(define (simplify f)
  (cond ((op? f 'and)
         (join 'and (simplify (cadr f)) (simplify (caddr f)) #f #t))
        ((op? f 'or)
         (join 'or (simplify (cadr f)) (simplify (caddr f)) #t #f))
        (else f)))

(define (text f)
  (cond ((boolean? f) (if f "true" "false"))
        ((symbol? f) (symbol->string f))
        ((op? f 'not) (string-append "!" (text (cadr f))))
        (else
         (string-append "(" (text (cadr f))
                        (if (op? f 'and) " & " " | ")
                        (text (caddr f)) ")"))))

(for-each (lambda (f)
            (display (text (nnf f)))
            (display "  =  ")
            (display (text (simplify (nnf f))))
            (newline))
          '((not (and p q))
            (implies p p)
            (not (implies p q))
            (or (and p #t) (and q #f))
            (and (or p p) (not (not p)))
            (implies (not (or p (not q))) (and q (or #f r)))
            (not (not (not p)))))

;=> (!p | !q)  =  (!p | !q)
;=> (!p | p)  =  true
;=> (p & !q)  =  (p & !q)
;=> ((p & true) | (q & false))  =  p
;=> ((p | p) & p)  =  p
;=> ((p | !q) | (q & (false | r)))  =  ((p | !q) | (q & r))
;=> !p  =  !p
