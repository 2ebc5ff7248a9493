; Topological sort (Knuth, 1973): takes the adjacency matrix (0 or 1) of a directed acyclic graph; returns two vectors:
; for each vertex the one that follows it in the order (the last one points to itself), and 1 at the first vertex, 0
; elsewhere. The order is that of falling finish times of a depth-first search.

(define (topological_sort graph)
  (let* ((n (vector-length graph)) (seen (make-vector n #f)) (next (make-vector n 0)))
    (define (visit u head)
      (vector-set! seen u #t)
      (let ((row (vector-ref graph u)))
        (let each ((v 0) (head head))
          (cond ((= v n) (vector-set! next u (or head u)) u)
                ((or (vector-ref seen v) (= (vector-ref row v) 0)) (each (+ v 1) head))
                (else (each (+ v 1) (visit v head)))))))
    (let each ((s 0) (head #f))
      (cond ((= s n) (vector next (one-hot head n)))
            ((vector-ref seen s) (each (+ s 1) head))
            (else (each (+ s 1) (visit s head)))))))

(define (one-hot i n)
  (let ((v (make-vector n 0)))
    (vector-set! v i 1)
    v))
