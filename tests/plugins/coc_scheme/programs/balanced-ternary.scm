;; Unusual number systems: balanced ternary, base -2, Fibonacci coding.
(import (scheme base) (scheme write))

(define (show x) (write x) (newline))

;; Digits -1, 0 and 1, written as -, 0 and +.
(define (balanced-ternary n)
  (let loop ((n n) (text ""))
    (if (= n 0)
        (if (string=? text "") "0" text)
        (let ((r (modulo n 3)))
          (case r
            ((0) (loop (quotient n 3) (string-append "0" text)))
            ((1) (loop (quotient (- n 1) 3) (string-append "+" text)))
            (else (loop (quotient (+ n 1) 3) (string-append "-" text))))))))

(define (ternary-value text)
  (let loop ((chars (string->list text)) (n 0))
    (if (null? chars)
        n
        (loop (cdr chars)
              (+ (* 3 n)
                 (case (car chars) ((#\+) 1) ((#\-) -1) (else 0)))))))

(show (map balanced-ternary '(0 1 2 3 4 5 -5 8 100)))
(show (map ternary-value (map balanced-ternary '(0 7 -20 100))))

;; Base -2 writes negative numbers without a sign.
(define (negabinary n)
  (let loop ((n n) (bits '()))
    (if (= n 0)
        (if (null? bits) '(0) bits)
        (let ((bit (modulo n 2)))
          (loop (quotient (- n bit) -2) (cons bit bits))))))
(define (value bits base)
  (let loop ((bits bits) (n 0))
    (if (null? bits) n (loop (cdr bits) (+ (* base n) (car bits))))))

(show (map negabinary '(0 1 2 3 -1 -2 10)))
(show (map (lambda (n) (value (negabinary n) -2)) '(5 -5 42 -42)))

;; Zeckendorf: each number is a sum of Fibonacci numbers, no two adjacent.
(define (fibonacci-up-to n)
  (let loop ((a 1) (b 2) (found '()))
    (if (> a n) found (loop b (+ a b) (cons a found)))))
(define (zeckendorf n)
  (let loop ((n n) (fibs (fibonacci-up-to n)))
    (cond ((= n 0) '())
          ((<= (car fibs) n)
           (cons (car fibs) (loop (- n (car fibs)) (cdr fibs))))
          (else (loop n (cdr fibs))))))
(show (map zeckendorf '(1 4 10 100 1000)))

;; Factorial base: digit k counts k factorial.
(define (factorial-base n)
  (let loop ((n n) (k 1) (digits '()))
    (if (= n 0)
        digits
        (loop (quotient n (+ k 1)) (+ k 1)
              (cons (modulo n (+ k 1)) digits)))))
(show (map factorial-base '(1 5 23 463 719)))

;=> ("0" "+" "+-" "+0" "++" "+--" "-++" "+0-" "++-0+")
;=> (0 7 -20 100)
;=> ((0) (1) (1 1 0) (1 1 1) (1 1) (1 0) (1 1 1 1 0))
;=> (5 -5 42 -42)
;=> ((1) (3 1) (8 2) (89 8 3) (987 13))
;=> ((1) (2 1) (3 2 1) (3 4 1 0 1) (5 4 3 2 1))
