; Minimum spanning tree (Prim, 1957): takes a source and the symmetric matrix of the weights (integers above 0; 0 is no
; edge) of an undirected graph; returns the parent of each vertex in the tree. The source, and what can't be reached,
; are their own parents.

(define (mst_prim source weights)
  (let* ((n (vector-length weights))
         (keys (make-vector n #f))  ; the least weight of an edge to the tree, once one is known
         (in-tree (make-vector n #f))
         (parents (indices n)))
    (define (nearest)
      (let look ((v 0) (best #f) (least #f))
        (if (= v n)
            best
            (let ((key (vector-ref keys v)))
              (if (and key (not (vector-ref in-tree v)) (or (not best) (< key least)))
                  (look (+ v 1) v key)
                  (look (+ v 1) best least))))))
    (define (add! u)
      (vector-set! in-tree u #t)
      (let ((row (vector-ref weights u)))
        (do ((v 0 (+ v 1))) ((= v n))
          (let ((weight (vector-ref row v)) (key (vector-ref keys v)))
            (unless (or (= weight 0) (vector-ref in-tree v) (and key (>= weight key)))
              (vector-set! keys v weight)
              (vector-set! parents v u))))))
    (vector-set! keys source 0)
    (let grow ((u source))
      (cond (u (add! u) (grow (nearest)))
            (else parents)))))

(define (indices n)
  (let ((v (make-vector n 0)))
    (do ((i 1 (+ i 1))) ((= i n) v)
      (vector-set! v i i))))
