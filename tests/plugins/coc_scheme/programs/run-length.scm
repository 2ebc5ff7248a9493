;; Run-length coding of strings, there and back.
(import (scheme base) (scheme write) (scheme char))

(define (encode text)
  (let ((out (open-output-string)))
    (define (emit c n)
      (if (> n 1) (write n out))
      (write-char c out))
    (let loop ((chars (string->list text)) (current #f) (n 0))
      (cond ((null? chars)
             (if current (emit current n))
             (get-output-string out))
            ((eqv? (car chars) current)
             (loop (cdr chars) current (+ n 1)))
            (else
             (if current (emit current n))
             (loop (cdr chars) (car chars) 1))))))

(define (decode code)
  (let loop ((chars (string->list code)) (n 0) (parts '()))
    (cond ((null? chars) (apply string-append (reverse parts)))
          ((char-numeric? (car chars))
           (loop (cdr chars)
                 (+ (* 10 n) (digit-value (car chars)))
                 parts))
          (else
           (loop (cdr chars)
                 0
                 (cons (make-string (max n 1) (car chars)) parts))))))

(define (test text)
  (let ((code (encode text)))
    (write code)
    (display (if (string=? (decode code) text) " ok" " wrong"))
    (newline)))

(test "WWWWWWWWWWWWBWWWWWBBB")
(test "abc")
(test "")
(test "aabbbbc  d")

;=> "12WB5W3B" ok
;=> "abc" ok
;=> "" ok
;=> "2a4bc2 d" ok
