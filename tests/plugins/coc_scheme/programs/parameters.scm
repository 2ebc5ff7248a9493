;; Parameters: dynamic binding, converters, and escapes.
(import (scheme base) (scheme write))

(define radix (make-parameter 10))
(define indent
  (make-parameter 0 (lambda (n) (if (< n 0) 0 n))))

(define (digits n)
  (if (< n (radix))
      (list n)
      (append (digits (quotient n (radix)))
              (list (remainder n (radix))))))

(define (say text)
  (display (make-string (indent) #\space))
  (display text)
  (newline))

(define (show x) (write x) (newline))

(show (digits 2024))
(show (parameterize ((radix 2)) (digits 10)))
(show (parameterize ((radix 16))
        (list (digits 255)
              (parameterize ((radix 8)) (digits 255))
              (digits 256))))
(show (radix))

(say "top")
(parameterize ((indent 2))
  (say "one level")
  (parameterize ((indent (+ (indent) 2)))
    (say "two levels"))
  (parameterize ((indent -5))
    (say "converted to zero"))
  (say "one level again"))

;; A procedure sees the binding at its call, not at its creation.
(define (reader) (lambda () (radix)))
(define read-it (parameterize ((radix 3)) (reader)))
(show (read-it))
(show (parameterize ((radix 5)) (read-it)))

;; An escape restores the old value.
(show (call/cc (lambda (k) (parameterize ((radix 7)) (k (radix))))))
(show (radix))
(show (guard (e (#t (list e (radix))))
        (parameterize ((radix 9)) (raise 'out))))

;=> (2 0 2 4)
;=> (1 0 1 0)
;=> ((15 15) (3 7 7) (1 0 0))
;=> 10
;=> top
;=>   one level
;=>     two levels
;=> converted to zero
;=>   one level again
;=> 10
;=> 5
;=> 7
;=> 10
;=> (out 10)
