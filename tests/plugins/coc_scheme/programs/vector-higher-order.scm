;; vector-map, vector-for-each, and folds on vectors.
(import (scheme base) (scheme write))

(define (show x) (write x) (newline))

(show (vector-map square #(1 2 3 4)))
(show (vector-map + #(1 2 3) #(10 20 30) #(100 200 300)))
(show (vector-map cons #(a b c) #(1 2)))

(define total 0)
(vector-for-each (lambda (x) (set! total (+ total x))) #(5 6 7))
(show total)

(define (vector-fold f start v)
  (let loop ((i 0) (value start))
    (if (= i (vector-length v))
        value
        (loop (+ i 1) (f value (vector-ref v i))))))
(show (vector-fold + 0 #(1 2 3 4)))
(show (vector-fold (lambda (found x) (cons x found)) '() #(1 2 3)))

(define (vector-index ok? v)
  (let loop ((i 0))
    (cond ((= i (vector-length v)) #f)
          ((ok? (vector-ref v i)) i)
          (else (loop (+ i 1))))))
(show (list (vector-index even? #(1 3 6 7)) (vector-index even? #(1))))

(define (vector-tabulate f n)
  (let ((v (make-vector n)))
    (do ((i 0 (+ i 1)))
        ((= i n) v)
      (vector-set! v i (f i)))))
(show (vector-tabulate (lambda (i) (* i i i)) 6))

(define (running-sums v)
  (let ((sum 0))
    (vector-tabulate (lambda (i)
                       (set! sum (+ sum (vector-ref v i)))
                       sum)
                     (vector-length v))))
(show (running-sums #(3 1 4 1 5)))

(define (histogram v buckets)
  (let ((counts (make-vector buckets 0)))
    (vector-for-each
     (lambda (x)
       (let ((b (modulo x buckets)))
         (vector-set! counts b (+ 1 (vector-ref counts b)))))
     v)
    counts))
(show (histogram #(1 4 7 2 9 10 33 6) 3))

;=> #(1 4 9 16)
;=> #(111 222 333)
;=> #((a . 1) (b . 2))
;=> 18
;=> 10
;=> (3 2 1)
;=> (2 #f)
;=> #(0 1 8 27 64 125)
;=> #(3 4 8 9 14)
;=> #(3 4 1)
