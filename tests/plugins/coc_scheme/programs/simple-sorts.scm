;; Bubble, selection and shell sort of vectors, with counts of comparisons.
(import (scheme base) (scheme write))

(define comparisons 0)
(define (less? a b)
  (set! comparisons (+ comparisons 1))
  (< a b))

(define (swap! v i j)
  (let ((old (vector-ref v i)))
    (vector-set! v i (vector-ref v j))
    (vector-set! v j old)))

;; Rounds go on until nothing was swapped.
(define (bubble-sort! v)
  (let round ((end (- (vector-length v) 1)))
    (let loop ((i 0) (swapped? #f))
      (cond ((< i end)
             (cond ((less? (vector-ref v (+ i 1)) (vector-ref v i))
                    (swap! v i (+ i 1))
                    (loop (+ i 1) #t))
                   (else (loop (+ i 1) swapped?))))
            (swapped? (round (- end 1)))))))

(define (selection-sort! v)
  (define n (vector-length v))
  (do ((i 0 (+ i 1)))
      ((>= i (- n 1)))
    (let loop ((j (+ i 1)) (least i))
      (cond ((= j n) (swap! v i least))
            ((less? (vector-ref v j) (vector-ref v least)) (loop (+ j 1) j))
            (else (loop (+ j 1) least))))))

(define (shell-sort! v)
  (define n (vector-length v))
  (for-each
   (lambda (gap)
     (do ((i gap (+ i 1)))
         ((>= i n))
       (let loop ((j i))
         (when (and (>= j gap)
                    (less? (vector-ref v j) (vector-ref v (- j gap))))
           (swap! v j (- j gap))
           (loop (- j gap))))))
   '(4 1)))

(define (measure name sort! v)
  (let ((v (vector-copy v)))
    (set! comparisons 0)
    (sort! v)
    (display name)
    (display v)
    (display " ")
    (display comparisons)
    (newline)))

(for-each
 (lambda (v)
   (measure "bubble    " bubble-sort! v)
   (measure "selection " selection-sort! v)
   (measure "shell     " shell-sort! v))
 '(#(5 2 9 1 7 3 8) #(1 2 3 4 5 6) #(6 5 4 3 2 1) #()))

;=> bubble    #(1 2 3 5 7 8 9) 18
;=> selection #(1 2 3 5 7 8 9) 21
;=> shell     #(1 2 3 5 7 8 9) 15
;=> bubble    #(1 2 3 4 5 6) 5
;=> selection #(1 2 3 4 5 6) 15
;=> shell     #(1 2 3 4 5 6) 7
;=> bubble    #(1 2 3 4 5 6) 15
;=> selection #(1 2 3 4 5 6) 15
;=> shell     #(1 2 3 4 5 6) 9
;=> bubble    #() 0
;=> selection #() 0
;=> shell     #() 0
