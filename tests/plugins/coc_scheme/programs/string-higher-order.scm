;; string-map, string-for-each, and what can be built from them.
(import (scheme base) (scheme write) (scheme char))

(define (show x) (write x) (newline))

(show (string-map char-upcase "shout"))
(show (string-map (lambda (a b) (if (char<? a b) a b)) "hydra" "apple"))

(string-for-each
 (lambda (c)
   (write-char c)
   (write-char #\=)
   (display (char->integer c))
   (newline))
 "abc")

(define (string-count ok? s)
  (let ((n 0))
    (string-for-each (lambda (c) (if (ok? c) (set! n (+ n 1)))) s)
    n))
(show (string-count char-numeric? "a1b22c333"))

(define (string-filter ok? s)
  (let ((out (open-output-string)))
    (string-for-each (lambda (c) (if (ok? c) (write-char c out))) s)
    (get-output-string out)))
(show (string-filter char-alphabetic? "1 plus 2"))

(define (string-fold f start s)
  (let loop ((i 0) (value start))
    (if (= i (string-length s))
        value
        (loop (+ i 1) (f (string-ref s i) value)))))
(show (string-fold (lambda (c n) (+ (* 2 n) (digit-value c))) 0 "101101"))
(show (string-fold cons '() "abc"))

(define (string-join parts separator)
  (if (null? parts)
      ""
      (apply string-append
             (car parts)
             (apply append
                    (map (lambda (p) (list separator p)) (cdr parts))))))
(show (string-join '("usr" "share" "doc") "/"))

(define (hamming a b)
  (string-count (lambda (c) (char=? c #\x))
                (string-map (lambda (p q) (if (char=? p q) #\= #\x)) a b)))
(show (hamming "karolin" "kathrin"))
(show (list (string=? "a" "a" "a") (string<? "apple" "banana")
            (string>? "a" "B") (string-ci<? "a" "B") (string<=? "a" "a")))

;=> "SHOUT"
;=> "apdla"
;=> a=97
;=> b=98
;=> c=99
;=> 6
;=> "plus"
;=> 45
;=> (#\c #\b #\a)
;=> "usr/share/doc"
;=> 3
;=> (#t #t #t #t #t)
