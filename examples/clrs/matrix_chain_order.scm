; Matrix chain order: takes a vector of n integer dimensions, matrix i being p[i-1] by p[i] for i from 1 to n-1; returns
; an n by n matrix whose entry (i, j) is the k after which the product of matrices i to j is split, and 0 where i >= j.

(define (matrix_chain_order p)
  (let* ((n (vector-length p)) (cost (make-matrix n)) (split (make-matrix n)))
    (do ((span 1 (+ span 1))) ((= span n) split)
      (do ((i 1 (+ i 1)) (j (+ span 1) (+ j 1))) ((>= j n))
        (let ((row (vector-ref cost i)) (ends (* (vector-ref p (- i 1)) (vector-ref p j))))
          (let try ((k i) (best #f) (at 0))
            (if (= k j)
                (begin
                  (vector-set! row j best)
                  (vector-set! (vector-ref split i) j at))
                (let ((q (+ (vector-ref row k)
                            (vector-ref (vector-ref cost (+ k 1)) j)
                            (* ends (vector-ref p k)))))
                  (if (or (not best) (< q best))
                      (try (+ k 1) q k)
                      (try (+ k 1) best at))))))))))

(define (make-matrix n)
  (let ((rows (make-vector n 0)))
    (do ((i 0 (+ i 1))) ((= i n) rows)
      (vector-set! rows i (make-vector n 0)))))
