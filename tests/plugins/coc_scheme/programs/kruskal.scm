;; Kruskal's minimum spanning tree of a small network.
(import (scheme base) (scheme write) (scheme cxr))

(define edges
  '((a b 7) (a d 5) (b c 8) (b d 9) (b e 7) (c e 5)
    (d e 15) (d f 6) (e f 8) (e g 9) (f g 11)))

(define (insert edge sorted)
  (if (or (null? sorted) (< (caddr edge) (caddr (car sorted))))
      (cons edge sorted)
      (cons (car sorted) (insert edge (cdr sorted)))))

(define (sort-edges edges)
  (let loop ((edges (reverse edges)) (sorted '()))
    (if (null? edges)
        sorted
        (loop (cdr edges) (insert (car edges) sorted)))))

;; The components are a list of lists of nodes.
(define (component node components)
  (cond ((null? components) (list node))
        ((memq node (car components)) (car components))
        (else (component node (cdr components)))))

(define (without x items)
  (cond ((null? items) '())
        ((equal? x (car items)) (without x (cdr items)))
        (else (cons (car items) (without x (cdr items))))))

(define (spanning-tree edges)
  (let loop ((edges (sort-edges edges)) (components '()) (tree '()))
    (if (null? edges)
        (reverse tree)
        (let ((a (component (caar edges) components))
              (b (component (cadar edges) components)))
          (if (equal? a b)
              (loop (cdr edges) components tree)
              (loop (cdr edges)
                    (cons (append a b) (without a (without b components)))
                    (cons (car edges) tree)))))))

(define tree (spanning-tree edges))
(for-each (lambda (edge) (write edge) (newline)) tree)
(display "total weight: ")
(display (apply + (map caddr tree)))
(newline)

;=> (c e 5)
;=> (a d 5)
;=> (d f 6)
;=> (b e 7)
;=> (a b 7)
;=> (e g 9)
;=> total weight: 39
