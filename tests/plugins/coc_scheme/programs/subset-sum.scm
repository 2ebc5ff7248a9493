;; Subsets with a given sum: one, all, and a fair division of presents.
(import (scheme base) (scheme write))

(define (subset-sum target items)
  (cond ((= target 0) '())
        ((or (null? items) (< target 0)) #f)
        ((subset-sum (- target (car items)) (cdr items))
         => (lambda (rest) (cons (car items) rest)))
        (else (subset-sum target (cdr items)))))

(define (all-subset-sums target items)
  (cond ((null? items) (if (= target 0) '(()) '()))
        ((< target 0) '())
        (else
         (append (map (lambda (rest) (cons (car items) rest))
                      (all-subset-sums (- target (car items)) (cdr items)))
                 (all-subset-sums target (cdr items))))))

(define (remove-each taken items)
  (cond ((null? taken) items)
        ((= (car taken) (car items))
         (remove-each (cdr taken) (cdr items)))
        (else (cons (car items) (remove-each taken (cdr items))))))

;; Divide into two parts whose sums are as near as they can be.
(define (fair-division items)
  (let* ((total (apply + items)))
    (let loop ((half (quotient total 2)))
      (let ((part (subset-sum half items)))
        (if part
            (list part (remove-each part items))
            (loop (- half 1)))))))

(define (show x) (write x) (newline))
(show (subset-sum 15 '(8 6 7 5 3 10 9)))
(show (subset-sum 2 '(8 6 7 5 3)))
(show (all-subset-sums 16 '(8 6 7 5 3 10 9)))
(for-each
 (lambda (presents)
   (let ((parts (fair-division presents)))
     (display parts)
     (display " ")
     (display (map (lambda (part) (apply + part)) parts))
     (newline)))
 '((3 1 1 2 2 1) (20 14 7 9 3) (100 1)))

;=> (8 7)
;=> #f
;=> ((8 5 3) (6 7 3) (6 10) (7 9))
;=> ((3 1 1) (2 2 1)) (5 5)
;=> ((14 9 3) (20 7)) (26 27)
;=> ((1) (100)) (1 100)
