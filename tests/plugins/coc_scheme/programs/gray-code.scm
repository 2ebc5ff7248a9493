;; Gray codes: by reflection and by a formula; neighbours differ in a bit.
(import (scheme base) (scheme write))

(define (prefix c codes)
  (map (lambda (code) (string-append c code)) codes))

(define (gray n)
  (if (= n 0)
      '("")
      (let ((codes (gray (- n 1))))
        (append (prefix "0" codes) (prefix "1" (reverse codes))))))

(define (differences a b)
  (let loop ((i 0) (count 0))
    (cond ((= i (string-length a)) count)
          ((char=? (string-ref a i) (string-ref b i)) (loop (+ i 1) count))
          (else (loop (+ i 1) (+ count 1))))))

(define (neighbours-differ-in-one? codes)
  (or (null? (cdr codes))
      (and (= 1 (differences (car codes) (cadr codes)))
           (neighbours-differ-in-one? (cdr codes)))))

;; Code number i: each bit is the sum of two bits of i, modulo 2.
(define (gray-number i width)
  (let loop ((i i) (width width) (bits '()))
    (if (= width 0)
        (apply string-append bits)
        (loop (quotient i 2)
              (- width 1)
              (cons (if (even? (+ i (quotient i 2))) "0" "1") bits)))))

(define (numbers from to)
  (if (= from to) '() (cons from (numbers (+ from 1) to))))

(for-each (lambda (code) (display code) (newline)) (gray 3))
(write (neighbours-differ-in-one? (gray 5)))
(newline)
(write (equal? (gray 4)
               (map (lambda (i) (gray-number i 4)) (numbers 0 16))))
(newline)

;=> 000
;=> 001
;=> 011
;=> 010
;=> 110
;=> 111
;=> 101
;=> 100
;=> #t
;=> #t
