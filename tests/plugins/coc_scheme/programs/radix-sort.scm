;; Sorting without comparisons: counting sort, radix sort, buckets of words.
(import (scheme base) (scheme write))

;; A stable counting sort by a key from 0 to limit - 1.
(define (counting-sort v key limit)
  (let ((counts (make-vector (+ limit 1) 0))
        (sorted (make-vector (vector-length v) #f)))
    (vector-for-each
     (lambda (x)
       (let ((k (+ 1 (key x))))
         (vector-set! counts k (+ 1 (vector-ref counts k)))))
     v)
    (do ((k 1 (+ k 1)))
        ((> k limit))
      (vector-set! counts k
                   (+ (vector-ref counts k) (vector-ref counts (- k 1)))))
    (vector-for-each
     (lambda (x)
       (let* ((k (key x))
              (place (vector-ref counts k)))
         (vector-set! sorted place x)
         (vector-set! counts k (+ place 1))))
     v)
    sorted))

(define (digit n place)
  (modulo (quotient n (expt 10 place)) 10))

(define (radix-sort v places)
  (let loop ((v v) (place 0))
    (if (= place places)
        v
        (loop (counting-sort v (lambda (n) (digit n place)) 10)
              (+ place 1)))))

;; Words of equal length, from the last letter to the first.
(define (sort-words words size)
  (let loop ((v (list->vector words)) (i (- size 1)))
    (if (< i 0)
        (vector->list v)
        (loop (counting-sort v
                             (lambda (w)
                               (- (char->integer (string-ref w i))
                                  (char->integer #\a)))
                             26)
              (- i 1)))))

(write (counting-sort #(3 1 2 0 3 1) (lambda (x) x) 4))
(newline)
(write (radix-sort #(170 45 75 90 802 24 2 66) 3))
(newline)
(write (counting-sort #("pear" "fig" "plum" "kiwi" "date" "nut")
                      string-length
                      5))
(newline)
(write (sort-words '("cow" "ant" "bee" "cat" "ape" "bat") 3))
(newline)

;=> #(0 1 1 2 3 3)
;=> #(2 24 45 66 75 90 170 802)
;=> #("fig" "nut" "pear" "plum" "kiwi" "date")
;=> ("ant" "ape" "bat" "bee" "cat" "cow")
