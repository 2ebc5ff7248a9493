;; Coins: the fewest for an amount by dynamic programming, and all ways.
(import (scheme base) (scheme write))

;; Vectors of the fewest coins and of the last coin, for 0 to amount.
(define (fewest-coins amount coins)
  (let ((count (make-vector (+ amount 1) #f))
        (last (make-vector (+ amount 1) #f)))
    (vector-set! count 0 0)
    (do ((sum 1 (+ sum 1)))
        ((> sum amount))
      (for-each
       (lambda (coin)
         (when (and (>= sum coin) (vector-ref count (- sum coin)))
           (let ((n (+ 1 (vector-ref count (- sum coin))))
                 (best (vector-ref count sum)))
             (when (or (not best) (< n best))
               (vector-set! count sum n)
               (vector-set! last sum coin)))))
       coins))
    (values count last)))

(define (change amount coins)
  (let-values (((count last) (fewest-coins amount coins)))
    (and (vector-ref count amount)
         (let loop ((rest amount))
           (if (= rest 0)
               '()
               (let ((coin (vector-ref last rest)))
                 (cons coin (loop (- rest coin)))))))))

(define (ways amount coins)
  (cond ((= amount 0) 1)
        ((or (< amount 0) (null? coins)) 0)
        (else (+ (ways amount (cdr coins))
                 (ways (- amount (car coins)) coins)))))

(write (change 30 '(1 10 25)))
(newline)
(write (change 27 '(4 9 11)))
(newline)
(write (change 7 '(4 6)))
(newline)
(write (ways 25 '(25 10 5 1)))
(newline)

;=> (10 10 10)
;=> (9 9 9)
;=> #f
;=> 13
