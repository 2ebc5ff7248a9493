; Minimum spanning forest (Kruskal, 1956): takes the symmetric matrix of the weights (integers above 0; 0 is no edge) of
; an undirected graph; returns a matrix with 1 for each edge of the forest, and 0 elsewhere.

(define (mst_kruskal weights)
  (let* ((n (vector-length weights)) (parents (make-vector n #f)) (forest (make-vector n 0)))
    (define (find-root u)
      (let ((parent (vector-ref parents u)))
        (if parent (find-root parent) u)))
    (do ((i 0 (+ i 1))) ((= i n))
      (vector-set! forest i (make-vector n 0)))
    (let next ((edges (merge-sort (edges-of weights) lighter?)))
      (if (null? edges)
          forest
          (let* ((u (cadr (car edges))) (v (cddr (car edges))) (a (find-root u)) (b (find-root v)))
            (unless (= a b)
              (vector-set! parents (if (< a b) a b) (if (< a b) b a))
              (vector-set! (vector-ref forest u) v 1)
              (vector-set! (vector-ref forest v) u 1))
            (next (cdr edges)))))))

(define (lighter? a b) (< (car a) (car b)))

(define (edges-of weights)  ; a list of (weight u . v), u < v
  (let up ((u (- (vector-length weights) 1)) (edges '()))
    (if (< u 0)
        edges
        (let ((row (vector-ref weights u)))
          (let across ((v (- (vector-length weights) 1)) (edges edges))
            (cond ((= v u) (up (- u 1) edges))
                  ((= (vector-ref row v) 0) (across (- v 1) edges))
                  (else (across (- v 1) (cons (cons (vector-ref row v) (cons u v)) edges)))))))))

(define (merge-sort items before?)
  (define (merge a b)
    (cond ((null? a) b)
          ((null? b) a)
          ((before? (car b) (car a)) (cons (car b) (merge a (cdr b))))
          (else (cons (car a) (merge (cdr a) b)))))
  (define (merge-pairs runs)
    (if (or (null? runs) (null? (cdr runs)))
        runs
        (cons (merge (car runs) (cadr runs)) (merge-pairs (cddr runs)))))
  (let sort ((runs (map list items)))
    (cond ((null? runs) '())
          ((null? (cdr runs)) (car runs))
          (else (sort (merge-pairs runs))))))
