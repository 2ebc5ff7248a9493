;; A calculator: a recursive-descent parser with precedence and brackets.
(import (scheme base) (scheme write) (scheme char))

(define chars '())

(define (peek)
  (cond ((null? chars) #\.)
        ((char=? (car chars) #\space) (set! chars (cdr chars)) (peek))
        (else (car chars))))

(define (next!)
  (let ((c (peek)))
    (set! chars (cdr chars))
    c))

(define (parse-number)
  (let loop ((n 0))
    (if (and (pair? chars) (char-numeric? (car chars)))
        (loop (+ (* 10 n) (digit-value (next!))))
        n)))

(define (parse-factor)
  (let ((c (peek)))
    (cond ((char-numeric? c) (parse-number))
          ((char=? c #\-) (next!) (- (parse-factor)))
          ((char=? c #\()
           (next!)
           (let ((value (parse-sum)))
             (if (char=? (peek) #\))
                 (next!)
                 (error "a bracket is not closed"))
             value))
          (else (error "unexpected character" c)))))

(define (parse-power)
  (let ((base (parse-factor)))
    (cond ((char=? (peek) #\^) (next!) (expt base (parse-power)))
          (else base))))

(define (parse-product)
  (let loop ((value (parse-power)))
    (case (peek)
      ((#\*) (next!) (loop (* value (parse-power))))
      ((#\/) (next!) (loop (quotient value (parse-power))))
      (else value))))

(define (parse-sum)
  (let loop ((value (parse-product)))
    (case (peek)
      ((#\+) (next!) (loop (+ value (parse-product))))
      ((#\-) (next!) (loop (- value (parse-product))))
      (else value))))

(define (calculate text)
  (set! chars (string->list text))
  (guard (e ((error-object? e) (error-object-message e)))
    (parse-sum)))

(for-each (lambda (text)
            (display text)
            (display " = ")
            (display (calculate text))
            (newline))
          '("1 + 2 * 3" "(1 + 2) * 3" "2 ^ 3 ^ 2" "100 / 7 - 4" "-(2 - 10)"
            "2 * (3 + 4" "2 + x"))

;=> 1 + 2 * 3 = 7
;=> (1 + 2) * 3 = 9
;=> 2 ^ 3 ^ 2 = 512
;=> 100 / 7 - 4 = 10
;=> -(2 - 10) = 8
;=> 2 * (3 + 4 = a bracket is not closed
;=> 2 + x = unexpected character
