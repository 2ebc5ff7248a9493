;; The 0-1 knapsack problem by dynamic programming over weights.
(import (scheme base) (scheme write))

(define-record-type item
  (make-item name weight value)
  item?
  (name item-name)
  (weight item-weight)
  (value item-value))

(define items
  (list (make-item 'map 2 3)
        (make-item 'stove 4 6)
        (make-item 'tent 7 11)
        (make-item 'rope 3 5)
        (make-item 'food 5 9)))

;; Entry w of the table is (value . items) for a capacity of w.
(define (pack items capacity)
  (let ((table (make-vector (+ capacity 1) '(0))))
    (for-each
     (lambda (item)
       (do ((w capacity (- w 1)))
           ((< w (item-weight item)))
         (let* ((rest (vector-ref table (- w (item-weight item))))
                (value (+ (car rest) (item-value item))))
           (if (> value (car (vector-ref table w)))
               (vector-set! table w
                            (cons value (cons item (cdr rest))))))))
     items)
    (vector-ref table capacity)))

(define (report capacity)
  (let ((best (pack items capacity)))
    (display "capacity ")
    (display capacity)
    (display ", value ")
    (display (car best))
    (display ": ")
    (display (reverse (map item-name (cdr best))))
    (newline)))

(for-each report '(1 4 10 15 21))

;=> capacity 1, value 0: ()
;=> capacity 4, value 6: (stove)
;=> capacity 10, value 17: (map rope food)
;=> capacity 15, value 25: (tent rope food)
;=> capacity 21, value 34: (map stove tent rope food)
