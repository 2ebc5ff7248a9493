; Depth-first search: takes the adjacency matrix (0 or 1) of a directed graph; returns the parent of each vertex in the
; depth-first forest. A root is its own parent. Vertices are tried in ascending order.

(define (dfs graph)
  (let* ((n (vector-length graph)) (parents (make-vector n #f)))
    (define (visit u parent)
      (vector-set! parents u parent)
      (let ((row (vector-ref graph u)))
        (do ((v 0 (+ v 1))) ((= v n))
          (unless (or (vector-ref parents v) (= (vector-ref row v) 0))
            (visit v u)))))
    (do ((s 0 (+ s 1))) ((= s n) parents)
      (unless (vector-ref parents s)
        (visit s s)))))
