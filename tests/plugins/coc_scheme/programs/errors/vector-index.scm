;; A loop that goes one step too far.
(import (scheme base) (scheme write))

(define squares (vector 0 1 4 9))

(do ((i 0 (+ i 1)))
    ((> i (vector-length squares)))
  (let ((square (vector-ref squares i)))
    (display i)
    (display " squared is ")
    (display square)
    (newline)))

;=> 0 squared is 0
;=> 1 squared is 1
;=> 2 squared is 4
;=> 3 squared is 9
;! vector-ref: index 4 out of range for a vector of length 4
;! line 8
