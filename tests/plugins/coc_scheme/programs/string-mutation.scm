;; Mutable strings: set, fill, copy into, reverse in place.
(import (scheme base) (scheme write) (scheme char))

(define (show x) (write x) (newline))

(define s (string-copy "hello world"))
(string-set! s 0 #\J)
(show s)
(string-fill! s #\- 5 6)
(show s)
(string-copy! s 6 "earth")
(show s)
(string-copy! s 0 s 6 11)
(show s)

(define (reverse! s)
  (do ((i 0 (+ i 1))
       (j (- (string-length s) 1) (- j 1)))
      ((>= i j) s)
    (let ((c (string-ref s i)))
      (string-set! s i (string-ref s j))
      (string-set! s j c))))
(show (reverse! (string-copy "stressed")))

(define (capitalise! s)
  (let loop ((i 0) (start? #t))
    (if (= i (string-length s))
        s
        (let ((c (string-ref s i)))
          (if start? (string-set! s i (char-upcase c)))
          (loop (+ i 1) (char=? c #\space))))))
(show (capitalise! (string-copy "the quick brown fox")))

;; A copy does not change with its original.
(define original (make-string 3 #\a))
(define copy (string-copy original))
(string-set! original 1 #\b)
(show (list original copy))
(show (string-append original copy (string #\! #\?)))

;; A picture: a string for each row.
(define rows
  (list (make-string 7 #\.) (make-string 7 #\.) (make-string 7 #\.)))
(do ((x 0 (+ x 1)))
    ((= x 7))
  (string-set! (list-ref rows (abs (- (modulo x 4) 2))) x #\*))
(for-each (lambda (row) (display row) (newline)) rows)

;=> "Jello world"
;=> "Jello-world"
;=> "Jello-earth"
;=> "earth-earth"
;=> "desserts"
;=> "The Quick Brown Fox"
;=> ("aba" "aaa")
;=> "abaaaa!?"
;=> ..*...*
;=> .*.*.*.
;=> *...*..
