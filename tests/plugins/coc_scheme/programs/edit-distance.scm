;; Levenshtein's edit distance between words, row by row.
(import (scheme base) (scheme write))

(define (distance a b)
  (let* ((m (string-length a))
         (n (string-length b))
         (row (make-vector (+ n 1) 0)))
    (do ((j 0 (+ j 1)))
        ((> j n))
      (vector-set! row j j))
    (do ((i 1 (+ i 1)))
        ((> i m) (vector-ref row n))
      (let loop ((j 1) (diagonal (vector-ref row 0)))
        (if (= j 1) (vector-set! row 0 i))
        (when (<= j n)
          (let ((above (vector-ref row j))
                (cost (if (char=? (string-ref a (- i 1))
                                  (string-ref b (- j 1)))
                          0
                          1)))
            (vector-set! row j
                         (min (+ above 1)
                              (+ (vector-ref row (- j 1)) 1)
                              (+ diagonal cost)))
            (loop (+ j 1) above)))))))

(define (nearest word dictionary)
  (let loop ((words (cdr dictionary)) (best (car dictionary)))
    (cond ((null? words) best)
          ((< (distance word (car words)) (distance word best))
           (loop (cdr words) (car words)))
          (else (loop (cdr words) best)))))

(define (test a b)
  (write (list a b (distance a b)))
  (newline))

(test "kitten" "sitting")
(test "flaw" "lawn")
(test "" "abc")
(test "same" "same")
(write (nearest "wader" '("water" "weather" "feather")))
(newline)

;=> ("kitten" "sitting" 3)
;=> ("flaw" "lawn" 2)
;=> ("" "abc" 3)
;=> ("same" "same" 0)
;=> "water"
