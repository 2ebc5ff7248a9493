;; Factorials in three styles; big results, their digits and trailing zeros.
(import (scheme base) (scheme write) (scheme char))

(define (factorial n)
  (if (= n 0) 1 (* n (factorial (- n 1)))))

(define (factorial-loop n)
  (do ((i 1 (+ i 1))
       (product 1 (* product i)))
      ((> i n) product)))

;; Multiply the halves of a range, so that the factors stay of equal size.
(define (range-product low high)
  (if (= low high)
      low
      (let ((middle (quotient (+ low high) 2)))
        (* (range-product low middle)
           (range-product (+ middle 1) high)))))

(define (digit-sum n)
  (apply + (map digit-value (string->list (number->string n)))))

(define (trailing-zeros n)
  (if (= n 0)
      0
      (+ (quotient n 5) (trailing-zeros (quotient n 5)))))

(display (map factorial '(0 1 2 3 4 5 10)))
(newline)
(display (factorial-loop 25))
(newline)
(display (range-product 1 40))
(newline)
(display (= (factorial 30) (factorial-loop 30) (range-product 1 30)))
(newline)
(display (digit-sum (factorial 50)))
(newline)
(display (trailing-zeros 100))
(newline)

;=> (1 1 2 6 24 120 3628800)
;=> 15511210043330985984000000
;=> 815915283247897734345611269596115894272000000000
;=> #t
;=> 216
;=> 24
