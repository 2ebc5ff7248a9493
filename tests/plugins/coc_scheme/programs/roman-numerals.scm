;; Roman numerals: numbers to strings and back.
(import (scheme base) (scheme write) (scheme cxr))

(define parts
  '((1000 "M") (900 "CM") (500 "D") (400 "CD") (100 "C") (90 "XC")
    (50 "L") (40 "XL") (10 "X") (9 "IX") (5 "V") (4 "IV") (1 "I")))

(define (number->roman n)
  (let loop ((n n) (parts parts) (roman ""))
    (cond ((= n 0) roman)
          ((>= n (caar parts))
           (loop (- n (caar parts)) parts
                 (string-append roman (cadar parts))))
          (else (loop n (cdr parts) roman)))))

(define (digit c)
  (case c
    ((#\I) 1)
    ((#\V) 5)
    ((#\X) 10)
    ((#\L) 50)
    ((#\C) 100)
    ((#\D) 500)
    ((#\M) 1000)
    (else (error "not a Roman digit" c))))

(define (roman->number text)
  (let loop ((values (map digit (string->list text))) (sum 0))
    (cond ((null? values) sum)
          ((and (pair? (cdr values)) (< (car values) (cadr values)))
           (loop (cdr values) (- sum (car values))))
          (else (loop (cdr values) (+ sum (car values)))))))

(for-each
 (lambda (n)
   (let ((roman (number->roman n)))
     (display n)
     (display " = ")
     (display roman)
     (display " = ")
     (display (roman->number roman))
     (newline)))
 '(1 4 9 14 40 90 400 1994 2024 3999))

;=> 1 = I = 1
;=> 4 = IV = 4
;=> 9 = IX = 9
;=> 14 = XIV = 14
;=> 40 = XL = 40
;=> 90 = XC = 90
;=> 400 = CD = 400
;=> 1994 = MCMXCIV = 1994
;=> 2024 = MMXXIV = 2024
;=> 3999 = MMMCMXCIX = 3999
