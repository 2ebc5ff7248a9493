;; A procedure of two arguments is called with one.
(import (scheme base) (scheme write))

(define (area width height)
  (* width height))

(define (show-area . sides)
  (display (apply area sides))
  (newline))

(show-area 3 4)
(show-area 5)
(show-area 6 7)

;=> 12
;! area: wrong number of arguments: 1 instead of 2
;! line 8
