;; assoc and member with a predicate of the user.
(import (scheme base) (scheme write) (scheme char))

(define (show x) (write x) (newline))

(define prices '(("Apple" . 3) ("pear" . 4) ("FIG" . 12)))

(show (assoc "apple" prices string-ci=?))
(show (assoc "apple" prices))
(show (assoc "Fig" prices string-ci=?))

;; Numbers of the same parity, words of the same length, sets of symbols.
(define (same-parity? a b) (eqv? (even? a) (even? b)))
(show (member 5 '(2 4 7 8) same-parity?))
(show (member 5 '(2 4 8) same-parity?))
(show (assoc 10 '((1 . odd) (2 . even) (4 . late)) same-parity?))

(define (same-length? a b) (= (string-length a) (string-length b)))
(show (member "two" '("three" "four" "six" "ten") same-length?))

(define (same-set? a b)
  (and (= (length a) (length b))
       (let loop ((a a))
         (or (null? a)
             (and (memq (car a) b) (loop (cdr a)))))))
(show (assoc '(b a) '(((a) . 1) ((a b) . 2) ((c a b) . 3)) same-set?))

;; Points that are near count as equal.
(define (near? p q)
  (<= (+ (abs (- (car p) (car q))) (abs (- (cdr p) (cdr q)))) 1))
(show (member '(2 . 3) '((9 . 9) (2 . 4) (7 . 7)) near?))

;; memq, memv and member differ in what is equal.
(define key (string #\k))
(show (list (pair? (memq 'c '(a b c)))
            (pair? (memv 101 '(100 101)))
            (pair? (member (list 'a) '((b) (a))))
            (pair? (memq key (list (string #\k) key)))
            (length (memq key (list (string #\k) key)))))
(show (list (assq 'c '((a 1) (b 2)))
            (assv 2 '((1 one) (2 two)))
            (assoc '(a) '(((a)) ((b))))))

;=> ("Apple" . 3)
;=> #f
;=> ("FIG" . 12)
;=> (7 8)
;=> #f
;=> (2 . even)
;=> ("six" "ten")
;=> ((a b) . 2)
;=> ((2 . 4) (7 . 7))
;=> (#t #t #t #t 1)
;=> (#f (2 two) ((a)))
