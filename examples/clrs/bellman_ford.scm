; Shortest paths (Bellman, 1958): takes a source and the matrix of the weights (integers; 0 is no edge) of a graph
; without negative cycles; returns the vertex before each one on the shortest path from the source. The source, and what
; can't be reached, point to themselves. A round relaxes all edges by the distances of the round before.

(define (bellman_ford source weights)
  (let* ((n (vector-length weights)) (distances (make-vector n #f)) (parents (indices n)))
    (define (relax! u distance changed)  ; whether a distance has changed
      (let ((row (vector-ref weights u)))
        (let next ((v 0) (changed changed))
          (if (= v n)
              changed
              (let ((weight (vector-ref row v)))
                (if (= weight 0)
                    (next (+ v 1) changed)
                    (let ((new (+ distance weight)) (old (vector-ref distances v)))
                      (cond ((and old (>= new old)) (next (+ v 1) changed))
                            (else
                             (vector-set! distances v new)
                             (vector-set! parents v u)
                             (next (+ v 1) #t))))))))))
    (vector-set! distances source 0)
    (let round ()
      (let next ((u 0) (before (vector->list distances)) (changed #f))
        (cond ((pair? before)
               (next (+ u 1) (cdr before) (if (car before) (relax! u (car before) changed) changed)))
              (changed (round))
              (else parents))))))

(define (indices n)
  (let ((v (make-vector n 0)))
    (do ((i 1 (+ i 1))) ((= i n) v)
      (vector-set! v i i))))
