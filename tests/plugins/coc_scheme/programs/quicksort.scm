;; Quicksort: on lists by partition, and in place on a vector.
(import (scheme base) (scheme write))

(define (partition keep? items)
  (let loop ((items items) (in '()) (out '()))
    (cond ((null? items) (values (reverse in) (reverse out)))
          ((keep? (car items))
           (loop (cdr items) (cons (car items) in) out))
          (else (loop (cdr items) in (cons (car items) out))))))

(define (quicksort items)
  (if (null? items)
      '()
      (let ((pivot (car items)))
        (call-with-values
            (lambda () (partition (lambda (x) (< x pivot)) (cdr items)))
          (lambda (small large)
            (append (quicksort small) (list pivot) (quicksort large)))))))

(define (swap! v i j)
  (let ((old (vector-ref v i)))
    (vector-set! v i (vector-ref v j))
    (vector-set! v j old)))

(define (quicksort! v)
  (let sort! ((low 0) (high (- (vector-length v) 1)))
    (if (< low high)
        (let ((pivot (vector-ref v high)))
          (let loop ((i low) (j low))
            (cond ((= j high)
                   (swap! v i high)
                   (sort! low (- i 1))
                   (sort! (+ i 1) high))
                  ((< (vector-ref v j) pivot)
                   (swap! v i j)
                   (loop (+ i 1) (+ j 1)))
                  (else (loop i (+ j 1)))))))))

(define numbers '(33 -4 15 8 -23 42 0 16 8 4))
(display (quicksort numbers))
(newline)

(define v (list->vector numbers))
(quicksort! v)
(display v)
(newline)

;=> (-23 -4 0 4 8 8 15 16 33 42)
;=> #(-23 -4 0 4 8 8 15 16 33 42)
