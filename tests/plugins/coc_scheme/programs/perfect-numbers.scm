;; Classify numbers as deficient, perfect or abundant.
(import (scheme base) (scheme write))

(define (divisor-sum n)
  (let loop ((d 2) (sum 1))
    (cond ((> (* d d) n) (if (= n 1) 0 sum))
          ((= (* d d) n) (+ sum d))
          ((= 0 (remainder n d)) (loop (+ d 1) (+ sum d (quotient n d))))
          (else (loop (+ d 1) sum)))))

(define (classify n)
  (let ((sum (divisor-sum n)))
    (cond ((< sum n) 'deficient)
          ((= sum n) 'perfect)
          (else 'abundant))))

(for-each (lambda (n)
            (display n)
            (display " ")
            (display (classify n))
            (newline))
          '(1 2 6 12 16 28 97 496 945 8128))

(let loop ((n 1) (abundant 0))
  (cond ((<= n 40)
         (loop (+ n 1)
               (if (eq? (classify n) 'abundant) (+ abundant 1) abundant)))
        (else
         (display "abundant up to 40: ")
         (display abundant)
         (newline))))

;=> 1 deficient
;=> 2 deficient
;=> 6 perfect
;=> 12 abundant
;=> 16 deficient
;=> 28 perfect
;=> 97 deficient
;=> 496 perfect
;=> 945 abundant
;=> 8128 perfect
;=> abundant up to 40: 7
