;; The third letter of words, one of which is too short.
(import (scheme base) (scheme write))

(define (third-letter word)
  (string-ref word 2))

(for-each
 (lambda (word)
   (display (third-letter word))
   (newline))
 '("lambda" "cons" "if" "define"))

;=> m
;=> n
;! string-ref: index 2 out of range for a string of length 2
;! line 5
