; Matrix chain order: takes a vector of n integer dimensions, matrix i being p[i-1] by p[i] for i from 1 to n-1; returns
; an n by n matrix whose entry (i, j) is the k after which the product of matrices i to j is split, and 0 where i >= j.
; Of splits with equal costs it takes the one whose parts are split least deep, then the first.

(define (matrix_chain_order p)
  (let* ((n (vector-length p)) (costs (make-matrix n)) (depths (make-matrix n)) (splits (make-matrix n)))
    (define (find-split! i j)
      (let ((ends (* (vector-ref p (- i 1)) (vector-ref p j))))
        (let try ((k i) (best #f) (depth 0) (at 0))
          (if (< k j)
              (let ((cost (+ (entry costs i k) (entry costs (+ k 1) j) (* ends (vector-ref p k))))
                    (deep (+ 1 (larger (entry depths i k) (entry depths (+ k 1) j)))))
                (if (or (not best) (< cost best) (and (= cost best) (< deep depth)))
                    (try (+ k 1) cost deep k)
                    (try (+ k 1) best depth at)))
              (begin
                (set-entry! costs i j best)
                (set-entry! depths i j depth)
                (set-entry! splits i j at))))))
    (do ((span 1 (+ span 1))) ((= span n) splits)
      (do ((i 1 (+ i 1)) (j (+ span 1) (+ j 1))) ((>= j n))
        (find-split! i j)))))

(define (entry matrix i j) (vector-ref (vector-ref matrix i) j))
(define (set-entry! matrix i j x) (vector-set! (vector-ref matrix i) j x))
(define (larger a b) (if (< a b) b a))

(define (make-matrix n)
  (let ((rows (make-vector n 0)))
    (do ((i 0 (+ i 1))) ((= i n) rows)
      (vector-set! rows i (make-vector n 0)))))
