;; RSA with small primes: make keys, encrypt and decrypt a message.
(import (scheme base) (scheme write))

(define (extended a b)
  (if (= b 0)
      (list a 1 0)
      (let* ((rest (extended b (modulo a b)))
             (g (list-ref rest 0))
             (x (list-ref rest 1))
             (y (list-ref rest 2)))
        (list g y (- x (* (floor-quotient a b) y))))))

(define (inverse a m)
  (modulo (list-ref (extended a m) 1) m))

(define (power-modulo b n m)
  (cond ((= n 0) 1)
        ((even? n)
         (power-modulo (modulo (square b) m) (quotient n 2) m))
        (else (modulo (* b (power-modulo b (- n 1) m)) m))))

(define p 61)
(define q 53)
(define n (* p q))
(define phi (* (- p 1) (- q 1)))
(define e 17)
(define d (inverse e phi))

(define (encrypt x) (power-modulo x e n))
(define (decrypt y) (power-modulo y d n))

(define message "Scheme")
(define secret (map encrypt (map char->integer (string->list message))))

(display (list 'n n 'phi phi 'd d))
(newline)
(display secret)
(newline)
(display (list->string (map integer->char (map decrypt secret))))
(newline)

;=> (n 3233 phi 3120 d 2753)
;=> (2680 281 2170 1313 2271 1313)
;=> Scheme
