;; char->integer gets a string of one letter instead of a character.
(import (scheme base) (scheme write))

(define (code c)
  (- (char->integer c) 96))

(write (map code '(#\a #\b #\z)))
(newline)
(write (map code '("a")))
(newline)

;=> (1 2 26)
;! char->integer: "a" is not a character
;! line 5
