; Shortest paths in a directed acyclic graph: takes a source and the matrix of the weights (integers; 0 is no edge);
; returns the vertex before each one on the shortest path from the source. The source, and what can't be reached, point
; to themselves. Edges are relaxed in topological order.

(define (dag_shortest_paths source weights)
  (let* ((n (vector-length weights)) (seen (make-vector n #f)) (distances (make-vector n #f)) (parents (indices n)))
    (define (visit u order)  ; puts what is reached from u before a topological order
      (vector-set! seen u #t)
      (let ((row (vector-ref weights u)))
        (let each ((v 0) (order order))
          (cond ((= v n) (cons u order))
                ((or (vector-ref seen v) (= (vector-ref row v) 0)) (each (+ v 1) order))
                (else (each (+ v 1) (visit v order)))))))
    (define (relax! u)
      (let ((row (vector-ref weights u)) (distance (vector-ref distances u)))
        (do ((v 0 (+ v 1))) ((= v n))
          (let ((weight (vector-ref row v)))
            (unless (= weight 0)
              (let ((new (+ distance weight)) (old (vector-ref distances v)))
                (when (or (not old) (< new old))
                  (vector-set! distances v new)
                  (vector-set! parents v u))))))))
    (vector-set! distances source 0)
    (for-each relax! (visit source '()))
    parents))

(define (indices n)
  (let ((v (make-vector n 0)))
    (do ((i 1 (+ i 1))) ((= i n) v)
      (vector-set! v i i))))
