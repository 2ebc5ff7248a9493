;; A priority queue as a leftist heap, which merges in logarithmic time.
(import (scheme base) (scheme write))

(define-record-type heap
  (make-heap rank priority item left right)
  heap?
  (rank heap-rank)
  (priority heap-priority)
  (item heap-item)
  (left heap-left)
  (right heap-right))

(define (rank h) (if h (heap-rank h) 0))

(define (node priority item a b)
  (if (>= (rank a) (rank b))
      (make-heap (+ (rank b) 1) priority item a b)
      (make-heap (+ (rank a) 1) priority item b a)))

(define (merge a b)
  (cond ((not a) b)
        ((not b) a)
        ((<= (heap-priority a) (heap-priority b))
         (node (heap-priority a) (heap-item a)
               (heap-left a) (merge (heap-right a) b)))
        (else
         (node (heap-priority b) (heap-item b)
               (heap-left b) (merge a (heap-right b))))))

(define (add h priority item)
  (merge h (make-heap 1 priority item #f #f)))

(define (remove-first h)
  (merge (heap-left h) (heap-right h)))

(define (drain h)
  (when h
    (display (heap-priority h))
    (display " ")
    (display (heap-item h))
    (newline)
    (drain (remove-first h))))

(define morning
  (add (add (add #f 3 "read mail") 1 "get up") 2 "eat breakfast"))
(define evening
  (add (add #f 9 "sleep") 7 "cook"))

(drain (merge morning evening))

;=> 1 get up
;=> 2 eat breakfast
;=> 3 read mail
;=> 7 cook
;=> 9 sleep
