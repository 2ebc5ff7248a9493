;; Partitions of integers: list them, count them, draw their diagrams.
(import (scheme base) (scheme write))

;; All ways to write n as a sum of parts of at most `largest`.
(define (partitions n largest)
  (cond ((= n 0) '(()))
        ((or (< n 0) (= largest 0)) '())
        (else
         (append (map (lambda (p) (cons largest p))
                      (partitions (- n largest) largest))
                 (partitions n (- largest 1))))))

;; Counts of partitions of 0 to n, adding parts of size 1, 2, and so on.
(define (partition-counts n)
  (let ((counts (make-vector (+ n 1) 0)))
    (vector-set! counts 0 1)
    (do ((part 1 (+ part 1)))
        ((> part n) counts)
      (do ((sum part (+ sum 1)))
          ((> sum n))
        (vector-set! counts sum
                     (+ (vector-ref counts sum)
                        (vector-ref counts (- sum part))))))))

;; The conjugate: columns of the diagram become rows.
(define (conjugate p)
  (if (null? p)
      '()
      (cons (length p)
            (conjugate (let loop ((p p))
                         (cond ((null? p) '())
                               ((= 1 (car p)) (loop (cdr p)))
                               (else (cons (- (car p) 1)
                                           (loop (cdr p))))))))))

(define (draw p)
  (for-each (lambda (part)
              (display (make-string part #\*))
              (newline))
            p))

(for-each (lambda (p) (write p) (newline)) (partitions 5 5))
(write (partition-counts 15))
(newline)
(draw '(4 2 1))
(display (conjugate '(4 2 1)))
(newline)
(draw (conjugate '(4 2 1)))
(write (equal? '(5 3 3 1) (conjugate (conjugate '(5 3 3 1)))))
(newline)

;=> (5)
;=> (4 1)
;=> (3 2)
;=> (3 1 1)
;=> (2 2 1)
;=> (2 1 1 1)
;=> (1 1 1 1 1)
;=> #(1 1 2 3 5 7 11 15 22 30 42 56 77 101 135 176)
;=> ****
;=> **
;=> *
;=> (3 2 1 1)
;=> ***
;=> **
;=> *
;=> *
;=> #t
