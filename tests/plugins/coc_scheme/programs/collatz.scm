;; The Collatz sequence: its course, its length, its highest point.
(import (scheme base) (scheme write))

(define (next n)
  (if (even? n) (quotient n 2) (+ (* 3 n) 1)))

(define (course n)
  (if (= n 1)
      '(1)
      (cons n (course (next n)))))

(define (steps n)
  (do ((n n (next n))
       (count 0 (+ count 1)))
      ((= n 1) count)))

(define (peak n)
  (let loop ((n n) (highest n))
    (if (= n 1)
        highest
        (loop (next n) (max n highest)))))

(define (longest-up-to limit)
  (let loop ((n 1) (best 1) (length 0))
    (if (> n limit)
        (list best length)
        (let ((s (steps n)))
          (if (> s length)
              (loop (+ n 1) n s)
              (loop (+ n 1) best length))))))

(display (course 6))
(newline)
(display (course 11))
(newline)
(display (list (steps 27) (peak 27)))
(newline)
(display (longest-up-to 30))
(newline)

;=> (6 3 10 5 16 8 4 2 1)
;=> (11 34 17 52 26 13 40 20 10 5 16 8 4 2 1)
;=> (111 9232)
;=> (27 111)
