; Naive string matching: takes a text of length n and a pattern of length m, vectors of letters (integers); returns a
; vector of length n+m with 1 at the first place where the pattern stands, at n if it stands nowhere, and 0 elsewhere.

(define (naive_string_matcher text pattern)
  (let ((n (vector-length text)) (m (vector-length pattern)))
    (let try ((s 0))
      (if (> s (- n m))
          (one-hot n (+ n m))
          (let compare ((i s) (j 0))
            (cond ((= j m) (one-hot s (+ n m)))
                  ((= (vector-ref text i) (vector-ref pattern j)) (compare (+ i 1) (+ j 1)))
                  (else (try (+ s 1)))))))))

(define (one-hot i n)
  (let ((v (make-vector n 0)))
    (vector-set! v i 1)
    v))
