; Binary search: takes a vector of integer keys in ascending order, and a target; returns a vector with 1 at the first
; key that is not below the target, or at the last key if all are below it, and 0 elsewhere.

(define (binary_search keys target)
  (let ((n (vector-length keys)))
    (let search ((low 0) (high (- n 1)))
      (if (< low high)
          (let ((middle (quotient (+ low high) 2)))
            (if (<= target (vector-ref keys middle))
                (search low middle)
                (search (+ middle 1) high)))
          (one-hot high n)))))

(define (one-hot i n)
  (let ((v (make-vector n 0)))
    (vector-set! v i 1)
    v))
