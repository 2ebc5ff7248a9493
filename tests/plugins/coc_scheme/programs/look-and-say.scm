;; The look-and-say sequence, on lists of digits and on big integers.
(import (scheme base) (scheme write))

(define (look-and-say digits)
  (let loop ((rest (cdr digits)) (current (car digits)) (n 1))
    (cond ((null? rest) (list n current))
          ((= current (car rest)) (loop (cdr rest) current (+ n 1)))
          (else
           (cons n (cons current (loop (cdr rest) (car rest) 1)))))))

(define (digits->number digits)
  (let loop ((digits digits) (n 0))
    (if (null? digits) n (loop (cdr digits) (+ (* 10 n) (car digits))))))

(define (sequence n digits)
  (if (= n 0)
      '()
      (cons digits (sequence (- n 1) (look-and-say digits)))))

(for-each (lambda (digits)
            (display (digits->number digits))
            (newline))
          (sequence 10 '(1)))
(write (map length (sequence 12 '(1))))
(newline)
(write (map digits->number (sequence 5 '(3 3 3))))
(newline)

;; 22 describes itself.
(write (look-and-say '(2 2)))
(newline)

;=> 1
;=> 11
;=> 21
;=> 1211
;=> 111221
;=> 312211
;=> 13112221
;=> 1113213211
;=> 31131211131221
;=> 13211311123113112211
;=> (1 2 2 4 6 6 8 10 14 20 26 34)
;=> (333 33 23 1213 11121113)
;=> (2 2)
