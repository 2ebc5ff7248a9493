; Insertion sort: takes a vector of integer keys; returns for each index the index of the key before it in sorted order.
; The first key in sorted order points to itself. Equal keys keep their order.

(define (insertion_sort keys)
  (let* ((n (vector-length keys)) (order (make-vector n 0)))
    (do ((j 1 (+ j 1))) ((= j n) (predecessors order))
      (let ((key (vector-ref keys j)))
        (let shift ((i (- j 1)))
          (cond ((and (>= i 0) (< key (vector-ref keys (vector-ref order i))))
                 (vector-set! order (+ i 1) (vector-ref order i))
                 (shift (- i 1)))
                (else (vector-set! order (+ i 1) j))))))))

(define (predecessors order)
  (let* ((n (vector-length order)) (before (make-vector n (vector-ref order 0))))
    (do ((i 1 (+ i 1))) ((= i n) before)
      (vector-set! before (vector-ref order i) (vector-ref order (- i 1))))))
