; Optimal binary search tree: takes the weights (integers) p of n keys, padded with 0, and q of the n+1 gaps between
; them; returns a square matrix of size n+1 whose entry (i, j) is the root of the best tree of the keys i to j-1, and 0
; where i >= j.

(define (optimal_bst p q)
  (let* ((size (vector-length q)) (cost (make-matrix size)) (root (make-matrix size)) (weight (make-vector size 0)))
    (do ((i 0 (+ i 1))) ((= i size))
      (vector-set! (vector-ref cost i) i (vector-ref q i))
      (vector-set! weight i (vector-ref q i)))
    (do ((span 1 (+ span 1))) ((= span size) root)
      (do ((i 0 (+ i 1)) (j span (+ j 1))) ((= j size))
        (let ((row (vector-ref cost i))
              (total (+ (vector-ref weight i) (vector-ref p (- j 1)) (vector-ref q j))))
          (vector-set! weight i total)
          (let try ((r i) (best #f) (at i))
            (if (= r j)
                (begin
                  (vector-set! row j (+ best total))
                  (vector-set! (vector-ref root i) j at))
                (let ((both (+ (vector-ref row r) (vector-ref (vector-ref cost (+ r 1)) j))))
                  (if (or (not best) (< both best))
                      (try (+ r 1) both r)
                      (try (+ r 1) best at))))))))))

(define (make-matrix n)
  (let ((rows (make-vector n 0)))
    (do ((i 0 (+ i 1))) ((= i n) rows)
      (vector-set! rows i (make-vector n 0)))))
