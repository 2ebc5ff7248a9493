;; A DPLL solver for formulas in conjunctive normal form.
(import (scheme base) (scheme write))

;; A clause is a list of integers; -3 says that variable 3 is false.
(define (filter keep? items)
  (cond ((null? items) '())
        ((keep? (car items))
         (cons (car items) (filter keep? (cdr items))))
        (else (filter keep? (cdr items)))))

;; What is left of the clauses when the literal is true.
(define (assign literal clauses)
  (map (lambda (clause)
         (filter (lambda (l) (not (= l (- literal)))) clause))
       (filter (lambda (clause) (not (memv literal clause))) clauses)))

(define (unit-clause clauses)
  (cond ((null? clauses) #f)
        ((null? (cdar clauses)) (car clauses))
        (else (unit-clause (cdr clauses)))))

(define (solve clauses model)
  (cond ((null? clauses) (reverse model))
        ((memv '() clauses) #f)
        ((unit-clause clauses)
         => (lambda (unit)
              (solve (assign (car unit) clauses)
                     (cons (car unit) model))))
        (else
         (let ((literal (caar clauses)))
           (or (solve (assign literal clauses) (cons literal model))
               (solve (assign (- literal) clauses)
                      (cons (- literal) model)))))))

(define (test clauses)
  (let ((model (solve clauses '())))
    (write (or model 'unsatisfiable))
    (newline)))

(test '((1 2) (-1 3) (-3) (2 4)))
(test '((1) (-1)))
(test '((1 2) (1 -2) (-1 2) (-1 -2)))
(test '((1 2 3) (-1 -2) (-1 -3) (-2 -3) (-1 4) (-4 2)))
;; Three pigeons do not fit into two holes.
(test '((1 2) (3 4) (5 6) (-1 -3) (-1 -5) (-3 -5) (-2 -4) (-2 -6) (-4 -6)))

;=> (-3 -1 2)
;=> unsatisfiable
;=> unsatisfiable
;=> (-1 2 -3)
;=> unsatisfiable
