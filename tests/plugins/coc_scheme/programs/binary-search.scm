;; Binary search in sorted vectors: exact, first position, and by a test.
(import (scheme base) (scheme write))

(define (binary-search v x)
  (let loop ((low 0) (high (- (vector-length v) 1)))
    (if (> low high)
        #f
        (let* ((middle (quotient (+ low high) 2))
               (y (vector-ref v middle)))
          (cond ((= x y) middle)
                ((< x y) (loop low (- middle 1)))
                (else (loop (+ middle 1) high)))))))

;; The first position whose element is not less than x.
(define (lower-bound v x)
  (let loop ((low 0) (high (vector-length v)))
    (if (= low high)
        low
        (let ((middle (quotient (+ low high) 2)))
          (if (< (vector-ref v middle) x)
              (loop (+ middle 1) high)
              (loop low middle))))))

(define (count v x)
  (- (lower-bound v (+ x 1)) (lower-bound v x)))

;; The least n from low to high for which the test holds.
(define (least ok? low high)
  (cond ((= low high) low)
        ((ok? (quotient (+ low high) 2))
         (least ok? low (quotient (+ low high) 2)))
        (else (least ok? (+ 1 (quotient (+ low high) 2)) high))))

(define (show x) (write x) (newline))
(define v #(2 3 5 7 11 13 17 19 23))
(show (map (lambda (x) (binary-search v x)) '(2 7 23 1 8 24)))
(define w #(1 2 2 2 4 4 9))
(show (map (lambda (x) (lower-bound w x)) '(0 1 2 3 4 9 10)))
(show (map (lambda (x) (count w x)) '(1 2 3 4)))
(show (least (lambda (n) (> (* n n) 2000)) 0 1000))
(show (binary-search #() 5))

;=> (0 3 8 #f #f #f)
;=> (0 0 1 4 4 6 7)
;=> (1 3 0 2)
;=> 45
;=> #f
