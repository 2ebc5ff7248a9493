;; Decimal digits of pi by Gibbons's spigot, with integers alone.
(import (scheme base) (scheme write))

(define (pi-digits count)
  (let loop ((q 1) (r 0) (t 1) (k 1) (n 3) (l 3) (count count))
    (cond ((= count 0) (newline))
          ((< (- (+ (* 4 q) r) t) (* n t))
           (display n)
           (loop (* q 10)
                 (* 10 (- r (* n t)))
                 t
                 k
                 (- (quotient (* 10 (+ (* 3 q) r)) t) (* 10 n))
                 l
                 (- count 1)))
          (else
           (loop (* q k)
                 (* (+ (* 2 q) r) l)
                 (* t l)
                 (+ k 1)
                 (quotient (+ (* q (+ (* 7 k) 2)) (* r l)) (* t l))
                 (+ l 2)
                 count)))))

(pi-digits 5)
(pi-digits 25)

;=> 31415
;=> 3141592653589793238462643
