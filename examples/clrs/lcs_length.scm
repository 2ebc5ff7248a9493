; Longest common subsequence: takes two vectors of letters (integers), x of length n and y of length m; returns a square
; matrix of size n+m. Its entry (i, n+j) says where the longest common subsequence of x[0..i] and y[0..j] comes from:
; 0 from (i-1, j-1) by a common letter, 1 from (i-1, j), 2 from (i, j-1). All other entries are 3.

(define (lcs_length x y)
  (let* ((n (vector-length x))
         (m (vector-length y))
         (table (make-vector (+ n m) (make-vector (+ n m) 3)))
         (lengths (make-vector m 0)))
    (do ((i 0 (+ i 1))) ((= i n) table)
      (let ((moves (make-vector (+ n m) 3)) (letter (vector-ref x i)))
        (vector-set! table i moves)
        (let next ((j 0) (diagonal 0) (left 0))
          (when (< j m)
            (let ((above (vector-ref lengths j)))
              (define (put move length)
                (vector-set! moves (+ n j) move)
                (vector-set! lengths j length)
                (next (+ j 1) above length))
              (cond ((= letter (vector-ref y j)) (put 0 (+ diagonal 1)))
                    ((>= above left) (put 1 above))
                    (else (put 2 left))))))))))
