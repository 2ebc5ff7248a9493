; Bridges (Tarjan): takes the adjacency matrix (0 or 1) of an undirected graph; returns a matrix with 1 for each edge
; without which its component falls apart, 0 for the other edges and on the diagonal, and -1 where there is no edge.

(define (bridges graph)
  (let* ((n (vector-length graph)) (times (make-vector n #f)) (marks (make-marks graph)) (clock 0))
    (define (visit u parent)  ; returns the earliest time that the subtree of u reaches
      (let ((time clock) (row (vector-ref graph u)))
        (set! clock (+ clock 1))
        (vector-set! times u time)
        (let each ((v 0) (low time))
          (cond ((= v n) low)
                ((or (= (vector-ref row v) 0) (= v parent)) (each (+ v 1) low))
                ((vector-ref times v) (each (+ v 1) (least low (vector-ref times v))))
                (else
                 (let ((reached (visit v u)))
                   (when (> reached time)
                     (vector-set! (vector-ref marks u) v 1)
                     (vector-set! (vector-ref marks v) u 1))
                   (each (+ v 1) (least low reached))))))))
    (do ((s 0 (+ s 1))) ((= s n) marks)
      (unless (vector-ref times s)
        (visit s s)))))

(define (make-marks graph)
  (let* ((n (vector-length graph)) (marks (make-vector n 0)))
    (do ((i 0 (+ i 1))) ((= i n) marks)
      (let ((row (vector-ref graph i)) (mark (make-vector n -1)))
        (vector-set! mark i 0)
        (vector-set! marks i mark)
        (do ((j 0 (+ j 1))) ((= j n))
          (unless (= (vector-ref row j) 0)
            (vector-set! mark j 0)))))))

(define (least a b)
  (if (< b a) b a))
