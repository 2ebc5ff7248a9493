; Convex hull (Jarvis, 1973): takes the x and the y coordinates (integers) of points; returns a vector with 1 for each
; point on the hull, and 0 for the others.

(define (jarvis_march xs ys)
  (define (left-turn? i j k)
    (let ((x (vector-ref xs i)) (y (vector-ref ys i)))
      (> (* (- (vector-ref xs j) x) (- (vector-ref ys k) y))
         (* (- (vector-ref ys j) y) (- (vector-ref xs k) x)))))
  (define (lower? i j)
    (or (< (vector-ref ys i) (vector-ref ys j))
        (and (= (vector-ref ys i) (vector-ref ys j)) (< (vector-ref xs i) (vector-ref xs j)))))
  (let* ((n (vector-length xs)) (in-hull (make-vector n 0)))
    (define (next-point last)
      (let try ((i 0) (end 0))
        (cond ((= i n) end)
              ((= end last) (try (+ i 1) i))
              ((or (= i last) (= i end) (left-turn? last end i)) (try (+ i 1) end))
              (else (try (+ i 1) i)))))
    (let march ((last (do ((i 1 (+ i 1)) (best 0 (if (lower? i best) i best))) ((= i n) best))))
      (cond ((= (vector-ref in-hull last) 1) in-hull)
            (else
             (vector-set! in-hull last 1)
             (march (next-point last)))))))
