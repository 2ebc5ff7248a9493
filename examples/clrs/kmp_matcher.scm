; String matching (Knuth, Morris and Pratt, 1977): takes a text of length n and a pattern of length m, vectors of
; letters (integers); returns a vector of length n+m with 1 at the first place where the pattern stands, at n if it
; stands nowhere, and 0 elsewhere.

(define (kmp_matcher text pattern)
  (let* ((n (vector-length text)) (m (vector-length pattern)) (borders (prefix-function pattern)))
    (let next ((i 0) (q 0))
      (cond ((= q m) (one-hot (- i m) (+ n m)))
            ((= i n) (one-hot n (+ n m)))
            ((= (vector-ref text i) (vector-ref pattern q)) (next (+ i 1) (+ q 1)))
            ((= q 0) (next (+ i 1) 0))
            (else (next i (vector-ref borders (- q 1))))))))

(define (prefix-function pattern)
  (let* ((m (vector-length pattern)) (borders (make-vector m 0)))
    (let next ((q 1) (k 0))
      (cond ((= q m) borders)
            ((= (vector-ref pattern k) (vector-ref pattern q))
             (vector-set! borders q (+ k 1))
             (next (+ q 1) (+ k 1)))
            ((= k 0) (next (+ q 1) 0))
            (else (next q (vector-ref borders (- k 1))))))))

(define (one-hot i n)
  (let ((v (make-vector n 0)))
    (vector-set! v i 1)
    v))
