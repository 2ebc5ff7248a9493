;; Characters: classes, case, codes, and comparisons.
(import (scheme base) (scheme write) (scheme char))

(define (describe c)
  (write c)
  (display ":")
  (when (char-alphabetic? c) (display " letter"))
  (when (char-numeric? c) (display " digit"))
  (when (char-whitespace? c) (display " space"))
  (when (char-upper-case? c) (display " upper"))
  (when (char-lower-case? c) (display " lower"))
  (display " ")
  (display (char->integer c))
  (newline))

(for-each describe '(#\a #\Z #\7 #\space #\newline #\+ #\())

(define (show x) (write x) (newline))

(show (map char-upcase '(#\a #\B #\3)))
(show (map char-downcase '(#\a #\B #\3)))
(show (map integer->char '(65 97 48 32 35)))
(show (map digit-value '(#\0 #\9 #\x)))
(show (list (char<? #\a #\b #\c) (char<? #\a #\c #\b)))
(show (list (char=? #\a #\A) (char-ci=? #\a #\A)))
(show (list (char>? #\a #\A) (char-ci<? #\B #\c) (char>=? #\z #\z)))
(show (string-ci=? "Scheme" "sCHEME"))
(show (list (string-upcase "Hello, you!") (string-downcase "LOUD noises")))
(show (char-foldcase #\Q))

(define (rot13 c)
  (define (turn base)
    (integer->char
     (+ base (modulo (+ 13 (- (char->integer c) base)) 26))))
  (cond ((char-lower-case? c) (turn (char->integer #\a)))
        ((char-upper-case? c) (turn (char->integer #\A)))
        (else c)))
(show (string-map rot13 "Why did the chicken?"))

;=> #\a: letter lower 97
;=> #\Z: letter upper 90
;=> #\7: digit 55
;=> #\space: space 32
;=> #\newline: space 10
;=> #\+: 43
;=> #\(: 40
;=> (#\A #\B #\3)
;=> (#\a #\b #\3)
;=> (#\A #\a #\0 #\space #\#)
;=> (0 9 #f)
;=> (#t #f)
;=> (#f #t)
;=> (#t #t #t)
;=> #t
;=> ("HELLO, YOU!" "loud noises")
;=> #\q
;=> "Jul qvq gur puvpxra?"
