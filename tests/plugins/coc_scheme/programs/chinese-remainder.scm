;; The Chinese remainder theorem, with an old puzzle about soldiers.
(import (scheme base) (scheme write))

(define (extended a b)
  (if (= b 0)
      (values a 1 0)
      (let-values (((g x y) (extended b (modulo a b))))
        (values g y (- x (* y (floor-quotient a b)))))))

;; Join x = r1 mod m1 and x = r2 mod m2; #f when they contradict.
(define (join r1 m1 r2 m2)
  (let-values (((g p q) (extended m1 m2)))
    (if (= 0 (modulo (- r2 r1) g))
        (let* ((m (* m1 (quotient m2 g)))
               (step (* (quotient (- r2 r1) g) p)))
          (cons (modulo (+ r1 (* m1 step)) m) m))
        #f)))

(define (solve congruences)
  (let loop ((rest congruences) (solution '(0 . 1)))
    (if (or (not solution) (null? rest))
        solution
        (loop (cdr rest)
              (join (car solution)
                    (cdr solution)
                    (caar rest)
                    (cdar rest))))))

(define (report congruences)
  (let ((solution (solve congruences)))
    (for-each (lambda (c)
                (display "x = ")
                (display (car c))
                (display " mod ")
                (display (cdr c))
                (newline))
              congruences)
    (cond (solution
           (display "  so x = ")
           (display (car solution))
           (display " mod ")
           (display (cdr solution)))
          (else (display "  has no solution")))
    (newline)))

(report '((2 . 3) (3 . 5) (2 . 7)))
(report '((1 . 4) (5 . 6)))
(report '((1 . 4) (2 . 6)))
(report '((123 . 1009) (456 . 2003) (789 . 4001)))

;=> x = 2 mod 3
;=> x = 3 mod 5
;=> x = 2 mod 7
;=>   so x = 23 mod 105
;=> x = 1 mod 4
;=> x = 5 mod 6
;=>   so x = 5 mod 12
;=> x = 1 mod 4
;=> x = 2 mod 6
;=>   has no solution
;=> x = 123 mod 1009
;=> x = 456 mod 2003
;=> x = 789 mod 4001
;=>   so x = 1873941157 mod 8086129027
