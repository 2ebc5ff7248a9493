;; Strings as bytes and back, and a hexadecimal dump.
(import (scheme base) (scheme write) (scheme char))

(define (hex-digit n)
  (string-ref "0123456789abcdef" n))

(define (hex-byte n)
  (string (hex-digit (quotient n 16)) (hex-digit (remainder n 16))))

(define (dump b)
  (do ((i 0 (+ i 1)))
      ((= i (bytevector-length b)) (newline))
    (if (> i 0) (display " "))
    (display (hex-byte (bytevector-u8-ref b i)))))

;; Exclusive or of two bytes, bit by bit.
(define (xor a b)
  (let loop ((a a) (b b) (bit 1) (result 0))
    (if (= bit 256)
        result
        (loop (quotient a 2)
              (quotient b 2)
              (* 2 bit)
              (if (eqv? (odd? a) (odd? b)) result (+ result bit))))))

(define (xor-cipher b key)
  (let ((result (bytevector-copy b)))
    (do ((i 0 (+ i 1)))
        ((= i (bytevector-length b)) result)
      (bytevector-u8-set!
       result i
       (xor (bytevector-u8-ref b i)
            (bytevector-u8-ref key
                               (modulo i (bytevector-length key))))))))

(define text "Attack at 5!")
(define bytes (string->utf8 text))
(define key (string->utf8 "key"))

(dump bytes)
(define secret (xor-cipher bytes key))
(dump secret)
(write (utf8->string (xor-cipher secret key)))
(newline)
(write (utf8->string bytes 7 9))
(newline)
(dump (string->utf8 text 0 3))

;=> 41 74 74 61 63 6b 20 61 74 20 35 21
;=> 2a 11 0d 0a 06 12 4b 04 0d 4b 50 58
;=> "Attack at 5!"
;=> "at"
;=> 41 74 74
