;; The cryptarithm TO + GO = OUT, by search with digits column by column.
(import (scheme base) (scheme write))

(define (range a b) (if (> a b) '() (cons a (range (+ a 1) b))))

(define (distinct? items)
  (or (null? items)
      (and (not (memv (car items) (cdr items)))
           (distinct? (cdr items)))))

(define (number . digits)
  (let loop ((digits digits) (n 0))
    (if (null? digits) n (loop (cdr digits) (+ (* 10 n) (car digits))))))

;; Call `found` for each solution: digits for T, O, G, U.
(define (solve found)
  (for-each
   (lambda (o)
     (let ((t (modulo (* 2 o) 10))
           (carry (quotient (* 2 o) 10)))
       (for-each
        (lambda (g)
          (let* ((sum (+ carry t g))
                 (u (modulo sum 10)))
            (if (and (= o (quotient sum 10))
                     (> t 0)
                     (distinct? (list t o g u)))
                (found t o g u))))
        (range 1 9))))
   (range 1 9)))

(solve
 (lambda (t o g u)
   (display (number t o))
   (display " + ")
   (display (number g o))
   (display " = ")
   (display (number o u t))
   (newline)
   (write (= (+ (number t o) (number g o)) (number o u t)))
   (newline)))

;; Numbers that are their first digit times the sum of their digits.
(define (first-times-sum)
  (let loop ((n 10) (found '()))
    (cond ((> n 99) (reverse found))
          ((= n (* (quotient n 10)
                   (+ (quotient n 10) (remainder n 10))))
           (loop (+ n 1) (cons n found)))
          (else (loop (+ n 1) found)))))
(write (first-times-sum))
(newline)

;=> 21 + 81 = 102
;=> #t
;=> (48)
