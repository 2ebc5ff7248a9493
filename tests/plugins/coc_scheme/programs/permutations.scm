;; All permutations of a list, by choosing a first item and by insertion.
(import (scheme base) (scheme write))

(define (append-map f items)
  (apply append (map f items)))

(define (remove-one x items)
  (if (eqv? x (car items))
      (cdr items)
      (cons (car items) (remove-one x (cdr items)))))

(define (permutations items)
  (if (null? items)
      '(())
      (append-map
       (lambda (x)
         (map (lambda (rest) (cons x rest))
              (permutations (remove-one x items))))
       items)))

(define (insert-everywhere x items)
  (if (null? items)
      (list (list x))
      (cons (cons x items)
            (map (lambda (rest) (cons (car items) rest))
                 (insert-everywhere x (cdr items))))))

(define (permutations-by-insertion items)
  (if (null? items)
      '(())
      (append-map (lambda (p) (insert-everywhere (car items) p))
                  (permutations-by-insertion (cdr items)))))

(define (print x) (write x) (newline))

(for-each print (permutations '(a b c)))
(print (permutations-by-insertion '(1 2 3)))
(print (length (permutations '(1 2 3 4))))
(print (length (permutations-by-insertion '(1 2 3 4))))

;=> (a b c)
;=> (a c b)
;=> (b a c)
;=> (b c a)
;=> (c a b)
;=> (c b a)
;=> ((1 2 3) (2 1 3) (2 3 1) (1 3 2) (3 1 2) (3 2 1))
;=> 24
;=> 24
