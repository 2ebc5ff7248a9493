;; A mistake deep within calls that wait for their results.
(import (scheme base) (scheme write))

(define (depth tree)
  (if (pair? tree)
      (+ 1 (deepest (cdr tree)))
      0))

(define (deepest trees)
  (if (null? trees)
      0
      (max (depth (car trees))
           (deepest (cdr trees)))))

(define (report tree)
  (display (list 'depth (depth tree)))
  (newline))

(define (name tree)
  (symbol->string (car tree)))

(define (names tree)
  (cons (name tree) (map names (cdr tree))))

(define tree '(a (b (c)) (d (7))))
(report tree)
(write (names tree))
(newline)

;=> (depth 3)
;! symbol->string: 7 is not a symbol
;! line 20
