;; The cheapest order of a chain of matrix products, with memoisation.
(import (scheme base) (scheme write) (scheme cxr))

(define (make-memo f)
  (let ((table '()))
    (lambda (i j)
      (let ((known (assoc (cons i j) table)))
        (if known
            (cdr known)
            (let ((value (f i j)))
              (set! table (cons (cons (cons i j) value) table))
              value))))))

;; Matrix i has dims[i] rows and dims[i + 1] columns.
;; A plan is (cost expression) for matrices i to j.
(define (best-plan dims)
  (define plan
    (make-memo
     (lambda (i j)
       (if (= i j)
           (list 0 (string->symbol (string (string-ref "ABCDEFGH" i))))
           (let loop ((k i) (best #f))
             (if (= k j)
                 best
                 (let* ((left (plan i k))
                        (right (plan (+ k 1) j))
                        (cost (+ (car left)
                                 (car right)
                                 (* (vector-ref dims i)
                                    (vector-ref dims (+ k 1))
                                    (vector-ref dims (+ j 1))))))
                   (loop (+ k 1)
                         (if (or (not best) (< cost (car best)))
                             (list cost (list (cadr left) (cadr right)))
                             best)))))))))
  (plan 0 (- (vector-length dims) 2)))

(for-each (lambda (dims)
            (write (best-plan dims))
            (newline))
          '(#(10 20)
            #(10 30 5 60)
            #(40 20 30 10 30)
            #(30 35 15 5 10 20)))

;=> (0 A)
;=> (4500 ((A B) C))
;=> (26000 ((A (B C)) D))
;=> (11875 ((A (B C)) (D E)))
