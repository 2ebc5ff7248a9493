; Articulation points (Tarjan): takes the adjacency matrix (0 or 1) of an undirected graph; returns a vector with 1 for
; each vertex without which its component falls apart, and 0 for the others.

(define (articulation_points graph)
  (let* ((n (vector-length graph)) (times (make-vector n #f)) (cuts (make-vector n 0)) (clock 0))
    (define (visit u parent)  ; returns the earliest time that the subtree of u reaches
      (let ((time clock) (row (vector-ref graph u)))
        (set! clock (+ clock 1))
        (vector-set! times u time)
        (let each ((v 0) (low time) (children 0))
          (cond ((= v n)
                 (when (and (= u parent) (> children 1))
                   (vector-set! cuts u 1))
                 low)
                ((or (= (vector-ref row v) 0) (= v parent)) (each (+ v 1) low children))
                ((vector-ref times v) (each (+ v 1) (least low (vector-ref times v)) children))
                (else
                 (let ((reached (visit v u)))
                   (unless (or (= u parent) (< reached time))
                     (vector-set! cuts u 1))
                   (each (+ v 1) (least low reached) (+ children 1))))))))
    (do ((s 0 (+ s 1))) ((= s n) cuts)
      (unless (vector-ref times s)
        (visit s s)))))

(define (least a b)
  (if (< b a) b a))
