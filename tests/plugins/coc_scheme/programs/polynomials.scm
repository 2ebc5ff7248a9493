;; Polynomials as lists of coefficients: arithmetic, division, printing.
(import (scheme base) (scheme write))

;; The constant coefficient comes first; no zero at the end.
(define (trim p)
  (let loop ((r (reverse p)))
    (if (and (pair? r) (= 0 (car r))) (loop (cdr r)) (reverse r))))

(define (add p q)
  (cond ((null? p) q)
        ((null? q) p)
        (else (trim (cons (+ (car p) (car q)) (add (cdr p) (cdr q)))))))

(define (scale k p) (trim (map (lambda (c) (* k c)) p)))

(define (multiply p q)
  (if (null? p)
      '()
      (add (scale (car p) q)
           (trim (cons 0 (multiply (cdr p) q))))))

(define (power p n)
  (if (= n 0) '(1) (multiply p (power p (- n 1)))))

;; Horner's rule.
(define (value p x)
  (if (null? p) 0 (+ (car p) (* x (value (cdr p) x)))))

(define (derivative p)
  (let loop ((p (if (null? p) '() (cdr p))) (n 1))
    (if (null? p) '() (cons (* n (car p)) (loop (cdr p) (+ n 1))))))

;; Division by x - r: values are the quotient and the remainder.
(define (divide-by-root p r)
  (let loop ((cs (reverse p)) (carry 0) (out '()))
    (let ((c (+ (car cs) (* r carry))))
      (if (null? (cdr cs))
          (values out c)
          (loop (cdr cs) c (cons c out))))))

(define (show p)
  (let loop ((n (- (length p) 1)) (first? #t))
    (when (>= n 0)
      (let ((c (list-ref p n)))
        (unless (= c 0)
          (display (cond ((< c 0) (if first? "-" " - "))
                         (first? "")
                         (else " + ")))
          (if (or (= n 0) (not (= 1 (abs c)))) (display (abs c)))
          (if (> n 0) (display "x"))
          (when (> n 1) (display "^") (display n)))
        (loop (- n 1) (and first? (= c 0))))))
  (if (null? p) (display 0))
  (newline))

(define p '(-6 11 -6 1))
(show p)
(show (add p '(6 0 6 -1)))
(show (multiply '(1 1) '(-1 1)))
(show (power '(1 1) 6))
(show (derivative p))
(display (map (lambda (x) (value p x)) '(0 1 2 3 4)))
(newline)
(let-values (((q r) (divide-by-root p 2)))
  (show q)
  (display r)
  (newline))
(show (add '(1 2) '(-1 -2)))

;=> x^3 - 6x^2 + 11x - 6
;=> 11x
;=> x^2 - 1
;=> x^6 + 6x^5 + 15x^4 + 20x^3 + 15x^2 + 6x + 1
;=> 3x^2 - 12x + 11
;=> (-6 0 0 0 6)
;=> x^2 - 4x + 3
;=> 0
;=> 0
