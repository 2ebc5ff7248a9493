; Minimum: takes a vector of integer keys; returns a vector with 1 at the smallest key, the first one if there are
; several, and 0 elsewhere.

(define (minimum keys)
  (let ((n (vector-length keys)))
    (let next ((i 1) (at 0) (least (vector-ref keys 0)))
      (if (= i n)
          (one-hot at n)
          (let ((key (vector-ref keys i)))
            (if (< key least)
                (next (+ i 1) i key)
                (next (+ i 1) at least)))))))

(define (one-hot i n)
  (let ((v (make-vector n 0)))
    (vector-set! v i 1)
    v))
