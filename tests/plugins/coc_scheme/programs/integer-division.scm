;; Floor and truncate division, gcd and lcm, with signs of all kinds.
(import (scheme base) (scheme write))

(define (show x) (write x) (newline))

(define pairs '((7 2) (-7 2) (7 -2) (-7 -2) (6 3) (0 5)))

(define (table name f)
  (display name)
  (display " ")
  (show (map (lambda (pair) (f (car pair) (cadr pair))) pairs)))

(table "floor-quotient    " floor-quotient)
(table "floor-remainder   " floor-remainder)
(table "modulo            " modulo)
(table "truncate-quotient " truncate-quotient)
(table "truncate-remainder" truncate-remainder)
(table "quotient          " quotient)
(table "remainder         " remainder)
(table "floor/            "
       (lambda (a b) (call-with-values (lambda () (floor/ a b)) cons)))

;; Both laws of division hold for each pair.
(show (map (lambda (pair)
             (let ((a (car pair)) (b (cadr pair)))
               (and (= a (+ (* b (floor-quotient a b)) (modulo a b)))
                    (= a (+ (* b (quotient a b)) (remainder a b))))))
           pairs))

(show (list (gcd) (gcd 12) (gcd 12 18) (gcd -12 18 27) (gcd 0 0)))
(show (list (lcm) (lcm 4 6) (lcm -4 6) (lcm 2 3 4 5 6) (lcm 0 7)))
(show (list (abs -5) (abs 5) (max 3 9 -2) (min 3 9 -2)))
(show (list (even? 0) (odd? -3) (zero? 0) (positive? 0) (negative? -1)))
(show (list (square -12) (expt 2 10) (expt -3 3) (expt 7 0) (expt 0 0)))
(show (list (exact-integer? 5) (integer? 5) (number? 'five)))
(show (quotient (expt 10 30) (expt 7 20)))
(show (modulo (- (expt 10 30)) 997))

;=> floor-quotient     (3 -4 -4 3 2 0)
;=> floor-remainder    (1 1 -1 -1 0 0)
;=> modulo             (1 1 -1 -1 0 0)
;=> truncate-quotient  (3 -3 -3 3 2 0)
;=> truncate-remainder (1 -1 1 -1 0 0)
;=> quotient           (3 -3 -3 3 2 0)
;=> remainder          (1 -1 1 -1 0 0)
;=> floor/             ((3 . 1) (-4 . 1) (-4 . -1) (3 . -1) (2 . 0) (0 . 0))
;=> (#t #t #t #t #t #t)
;=> (0 12 6 3 0)
;=> (1 12 12 60 0)
;=> (5 5 9 -2)
;=> (#t #t #t #f #t)
;=> (144 1024 -27 1 1)
;=> (#t #t #f)
;=> 12532542894196
;=> 771
