;; Print expressions in infix notation with no more brackets than needed.
(import (scheme base) (scheme write) (scheme cxr))

;; name, precedence, and the precedence that the sides need.
(define operators
  '((+ 1 1 2) (- 1 1 2) (* 2 2 3) (/ 2 2 3) (^ 3 4 3)))

(define (atom x)
  (if (number? x) (number->string x) (symbol->string x)))

(define (text e needed)
  (cond ((not (pair? e))
         (if (and (number? e) (< e 0) (> needed 0))
             (string-append "(" (atom e) ")")
             (atom e)))
        ((null? (cddr e))
         (string-append (symbol->string (car e))
                        "(" (text (cadr e) 0) ")"))
        (else
         (let* ((op (cdr (assq (car e) operators)))
                (inner (string-append
                        (text (cadr e) (cadr op))
                        (if (= 3 (car op)) "" " ")
                        (symbol->string (car e))
                        (if (= 3 (car op)) "" " ")
                        (text (caddr e) (caddr op)))))
           (if (< (car op) needed)
               (string-append "(" inner ")")
               inner)))))

(define (value e)
  (if (number? e)
      e
      (let ((a (value (cadr e))) (b (value (caddr e))))
        (case (car e)
          ((+) (+ a b))
          ((-) (- a b))
          ((*) (* a b))
          ((^) (expt a b))))))

(for-each (lambda (e)
            (display (text e 0))
            (newline))
          '((+ (* 2 x) 1)
            (* 2 (+ x 1))
            (- a (- b c))
            (- (- a b) c)
            (/ (* a b) (* c d))
            (^ (^ x 2) 3)
            (^ x (^ 2 3))
            (* (f (+ x 1)) (^ (- x y) -2))
            (+ -3 (* x -4))))
(for-each (lambda (e)
            (display (text e 0))
            (display " = ")
            (display (value e))
            (newline))
          '((- (* 3 4) (- 5 6)) (^ 2 (+ 3 4)) (* (- 1 2) (- 3 -4))))

;=> 2 * x + 1
;=> 2 * (x + 1)
;=> a - (b - c)
;=> a - b - c
;=> a * b / (c * d)
;=> (x^2)^3
;=> x^2^3
;=> f(x + 1) * (x - y)^(-2)
;=> (-3) + x * (-4)
;=> 3 * 4 - (5 - 6) = 13
;=> 2^(3 + 4) = 128
;=> (1 - 2) * (3 - (-4)) = -7
