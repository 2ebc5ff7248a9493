;; Caesar's cipher: shift letters, keep everything else.
(import (scheme base) (scheme write) (scheme char))

(define (shift-from base c key)
  (integer->char
   (+ (char->integer base)
      (modulo (+ (- (char->integer c) (char->integer base)) key) 26))))

(define (shift c key)
  (cond ((not (char-alphabetic? c)) c)
        ((char-upper-case? c) (shift-from #\A c key))
        (else (shift-from #\a c key))))

(define (encrypt text key)
  (string-map (lambda (c) (shift c key)) text))

(define (decrypt text key)
  (encrypt text (- key)))

(define secret (encrypt "Hello, World!" 3))
(write secret)
(newline)
(write (decrypt secret 3))
(newline)
(write (encrypt "xyz" 3))
(newline)
(write (encrypt (encrypt "Why?" 13) 13))
(newline)
(do ((key 1 (+ key 1)))
    ((> key 3))
  (display key)
  (display ": ")
  (display (decrypt "Kv" key))
  (newline))

;=> "Khoor, Zruog!"
;=> "Hello, World!"
;=> "abc"
;=> "Why?"
;=> 1: Ju
;=> 2: It
;=> 3: Hs
