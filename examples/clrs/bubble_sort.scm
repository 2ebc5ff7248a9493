; Bubble sort: takes a vector of integer keys; returns for each index the index of the key before it in sorted order.
; The first key in sorted order points to itself. Equal keys keep their order.

(define (bubble_sort keys)
  (let* ((n (vector-length keys)) (order (indices n)))
    (do ((i 0 (+ i 1))) ((= i n) (predecessors order))
      (let sink ((j (- n 1)) (light (vector-ref order (- n 1))))
        (when (> j i)
          (let ((other (vector-ref order (- j 1))))
            (cond ((< (vector-ref keys light) (vector-ref keys other))
                   (vector-set! order j other)
                   (vector-set! order (- j 1) light)
                   (sink (- j 1) light))
                  (else (sink (- j 1) other)))))))))

(define (indices n)
  (let ((v (make-vector n 0)))
    (do ((i 1 (+ i 1))) ((= i n) v)
      (vector-set! v i i))))

(define (predecessors order)
  (let* ((n (vector-length order)) (before (make-vector n (vector-ref order 0))))
    (do ((i 1 (+ i 1))) ((= i n) before)
      (vector-set! before (vector-ref order i) (vector-ref order (- i 1))))))
