; Shortest paths between all pairs (Floyd, 1962): takes the matrix of the weights (integers above 0; 0 is no edge) of a
; graph; returns a matrix whose entry (i, j) is the vertex before j on the shortest path from i, and i if there is none.

(define (floyd_warshall weights)
  (let* ((n (vector-length weights)) (distances (make-vector n 0)) (parents (make-vector n 0)))
    (do ((i 0 (+ i 1))) ((= i n))
      (vector-set! distances i (distances-of i (vector-ref weights i)))
      (vector-set! parents i (make-vector n i)))
    (do ((k 0 (+ k 1))) ((= k n) parents)
      (let ((from-k (vector->list (vector-ref distances k))) (parents-from-k (vector-ref parents k)))
        (do ((i 0 (+ i 1))) ((= i n))
          (let* ((from-i (vector-ref distances i)) (to-k (vector-ref from-i k)))
            (when to-k
              (let next ((j 0) (rest from-k))
                (when (pair? rest)
                  (when (car rest)
                    (let ((new (+ to-k (car rest))) (old (vector-ref from-i j)))
                      (when (or (not old) (< new old))
                        (vector-set! from-i j new)
                        (vector-set! (vector-ref parents i) j (vector-ref parents-from-k j)))))
                  (next (+ j 1) (cdr rest)))))))))))

(define (distances-of i row)  ; #f where there is no edge, but not from i to itself
  (let* ((n (vector-length row)) (distances (make-vector n #f)))
    (do ((j 0 (+ j 1))) ((= j n) distances)
      (unless (and (= (vector-ref row j) 0) (not (= i j)))
        (vector-set! distances j (vector-ref row j))))))
