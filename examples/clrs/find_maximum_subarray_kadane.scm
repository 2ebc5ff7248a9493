; Maximum subarray (Kadane's algorithm; Bentley, 1984): takes a vector of integers; returns two vectors, one with 1 at
; the start of the contiguous part with the largest sum, one with 1 at its end, and 0 elsewhere.

(define (find_maximum_subarray_kadane keys)
  (let ((n (vector-length keys)) (first (vector-ref keys 0)))
    (let next ((j 1) (start 0) (sum first) (low 0) (high 0) (best first))
      (if (= j n)
          (vector (one-hot low n) (one-hot high n))
          (let* ((key (vector-ref keys j))
                 (fresh (< sum 0))
                 (start (if fresh j start))
                 (sum (if fresh key (+ sum key))))
            (if (> sum best)
                (next (+ j 1) start sum start j sum)
                (next (+ j 1) start sum low high best)))))))

(define (one-hot i n)
  (let ((v (make-vector n 0)))
    (vector-set! v i 1)
    v))
