;; Connected components and cycles of an undirected graph by depth first.
(import (scheme base) (scheme write))

(define (neighbours node edges)
  (let loop ((edges edges) (found '()))
    (cond ((null? edges) (reverse found))
          ((eq? node (caar edges))
           (loop (cdr edges) (cons (cdar edges) found)))
          ((eq? node (cdar edges))
           (loop (cdr edges) (cons (caar edges) found)))
          (else (loop (cdr edges) found)))))

;; The seen nodes, with those that are reached from a node.
(define (visit node edges seen)
  (if (memq node seen)
      seen
      (let loop ((next (neighbours node edges)) (seen (cons node seen)))
        (if (null? next)
            seen
            (loop (cdr next) (visit (car next) edges seen))))))

(define (components nodes edges)
  (let loop ((nodes nodes) (seen '()) (found '()))
    (cond ((null? nodes) (reverse found))
          ((memq (car nodes) seen) (loop (cdr nodes) seen found))
          (else
           (let ((reached (visit (car nodes) edges '())))
             (loop (cdr nodes)
                   (append reached seen)
                   (cons (reverse reached) found)))))))

;; A forest has as many edges as nodes less trees.
(define (forest? nodes edges)
  (= (length edges)
     (- (length nodes) (length (components nodes edges)))))

(define (show x) (write x) (newline))

(define nodes '(a b c d e f g))
(define tree-edges '((a . b) (b . c) (e . d) (f . e)))
(show (components nodes tree-edges))
(show (forest? nodes tree-edges))
(show (components nodes (cons '(c . g) tree-edges)))
(show (forest? nodes (cons '(d . f) tree-edges)))
(show (components '() '()))

;=> ((a b c) (d e f) (g))
;=> #t
;=> ((a b c g) (d e f))
;=> #f
;=> ()
