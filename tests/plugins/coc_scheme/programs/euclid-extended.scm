;; Euclid's algorithm, its extended form, and inverses modulo m.
(import (scheme base) (scheme write))

(define (my-gcd a b)
  (if (= b 0) (abs a) (my-gcd b (remainder a b))))

;; Three values: g, x and y with a*x + b*y = g.
(define (extended a b)
  (if (= b 0)
      (values a 1 0)
      (let-values (((q r) (floor/ a b)))
        (let-values (((g x y) (extended b r)))
          (values g y (- x (* q y)))))))

(define (inverse a m)
  (let-values (((g x y) (extended a m)))
    (if (= g 1) (modulo x m) 'none)))

(define (show a b)
  (let-values (((g x y) (extended a b)))
    (display (list a '* x '+ b '* y '= g))
    (newline)))

(display (list (my-gcd 48 18) (my-gcd 17 5) (my-gcd -12 30) (my-gcd 0 7)))
(newline)
(show 240 46)
(show 99 78)
(show 31 17)
(display (map (lambda (a) (inverse a 10)) '(1 2 3 4 5 6 7 8 9)))
(newline)

;=> (6 1 6 7)
;=> (240 * -9 + 46 * 47 = 2)
;=> (99 * -11 + 78 * 14 = 3)
;=> (31 * -6 + 17 * 11 = 1)
;=> (1 none 7 none none none 3 none 9)
