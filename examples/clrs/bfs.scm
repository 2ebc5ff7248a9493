; Breadth-first search: takes a source and the adjacency matrix (0 or 1) of a graph; returns the parent of each vertex,
; which is the first one of the level before that has an edge to it. The source, and what can't be reached, are their
; own parents.

(define (bfs source graph)
  (let* ((n (vector-length graph)) (levels (make-vector n #f)) (parents (indices n)))
    (define (expand! u level more)  ; whether there is a next level
      (let ((row (vector-ref graph u)))
        (let next ((v 0) (more more))
          (cond ((= v n) more)
                ((or (vector-ref levels v) (= (vector-ref row v) 0)) (next (+ v 1) more))
                (else
                 (vector-set! levels v (+ level 1))
                 (vector-set! parents v u)
                 (next (+ v 1) #t))))))
    (vector-set! levels source 0)
    (let next-level ((level 0))
      (let next ((u 0) (more #f))
        (cond ((< u n) (next (+ u 1) (if (eqv? (vector-ref levels u) level) (expand! u level more) more)))
              (more (next-level (+ level 1)))
              (else parents))))))

(define (indices n)
  (let ((v (make-vector n 0)))
    (do ((i 1 (+ i 1))) ((= i n) v)
      (vector-set! v i i))))
