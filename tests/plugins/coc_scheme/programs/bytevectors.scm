;; Bytevectors: make, change, copy, append, and numbers in bytes.
(import (scheme base) (scheme write))

(define (bytes b)
  (let loop ((i (- (bytevector-length b) 1)) (found '()))
    (if (< i 0)
        found
        (loop (- i 1) (cons (bytevector-u8-ref b i) found)))))

(define (show b) (write (bytes b)) (newline))

;; A number as `size` bytes, the highest first, and back.
(define (number->bytes n size)
  (let ((b (make-bytevector size 0)))
    (do ((i (- size 1) (- i 1))
         (n n (quotient n 256)))
        ((< i 0) b)
      (bytevector-u8-set! b i (remainder n 256)))))

(define (bytes->number b)
  (let loop ((i 0) (n 0))
    (if (= i (bytevector-length b))
        n
        (loop (+ i 1) (+ (* 256 n) (bytevector-u8-ref b i))))))

(define (checksum b)
  (modulo (apply + (bytes b)) 256))

(define b (bytevector 1 2 3 250))
(show b)
(show (make-bytevector 3 7))
(bytevector-u8-set! b 1 200)
(show b)
(write (checksum b))
(newline)
(show (bytevector-copy b 1 3))
(show (bytevector-append b (bytevector 9) (bytevector)))

(define target (make-bytevector 6 0))
(bytevector-copy! target 2 b 0 3)
(show target)
(bytevector-copy! target 0 target 2 5)
(show target)

(show (number->bytes 1000000 4))
(write (bytes->number (number->bytes 1000000 4)))
(newline)
(write (bytes->number (bytevector 255 255 255 255 255 255 255 255)))
(newline)
(write (list (bytevector? b) (bytevector? #(1 2)) (bytevector? "12")))
(newline)
(write (equal? (bytevector 1 2) (bytevector-copy (bytevector 0 1 2) 1)))
(newline)

;=> (1 2 3 250)
;=> (7 7 7)
;=> (1 200 3 250)
;=> 198
;=> (200 3)
;=> (1 200 3 250 9)
;=> (0 0 1 200 3 0)
;=> (1 200 3 200 3 0)
;=> (0 15 66 64)
;=> 1000000
;=> 18446744073709551615
;=> (#t #f #f)
;=> #t
