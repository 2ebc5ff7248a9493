; Strongly connected components (Kosaraju): takes the adjacency matrix (0 or 1) of a directed graph; returns for each
; vertex the one of its component that a depth-first search leaves last.

(define (strongly_connected_components graph)
  (let* ((n (vector-length graph)) (seen (make-vector n #f)) (component (make-vector n #f)))
    (define (visit u finished)
      (vector-set! seen u #t)
      (let ((row (vector-ref graph u)))
        (let each ((v 0) (finished finished))
          (cond ((= v n) (cons u finished))
                ((or (vector-ref seen v) (= (vector-ref row v) 0)) (each (+ v 1) finished))
                (else (each (+ v 1) (visit v finished)))))))
    (define (collect! u root)
      (vector-set! component u root)
      (do ((v 0 (+ v 1))) ((= v n))
        (unless (or (vector-ref component v) (= (vector-ref (vector-ref graph v) u) 0))
          (collect! v root))))
    (let each ((s 0) (finished '()))
      (cond ((< s n) (each (+ s 1) (if (vector-ref seen s) finished (visit s finished))))
            ((null? finished) component)
            (else
             (unless (vector-ref component (car finished))
               (collect! (car finished) (car finished)))
             (each s (cdr finished)))))))
