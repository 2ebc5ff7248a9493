;; Determinants of integer matrices: by expansion and by Bareiss's method.
(import (scheme base) (scheme write))

(define (without i items)
  (if (= i 0)
      (cdr items)
      (cons (car items) (without (- i 1) (cdr items)))))

(define (expand rows)
  (if (null? rows)
      1
      (let loop ((i 0) (top (car rows)) (sign 1) (sum 0))
        (if (null? top)
            sum
            (loop (+ i 1)
                  (cdr top)
                  (- sign)
                  (if (= 0 (car top))
                      sum
                      (+ sum
                         (* sign
                            (car top)
                            (expand (map (lambda (row) (without i row))
                                         (cdr rows)))))))))))

;; Elimination in which every division is exact.
(define (bareiss rows)
  (let loop ((rows rows) (previous 1) (sign 1) (tried 0))
    (cond ((null? rows) (* sign previous))
          ((= tried (length rows)) 0)
          ((= 0 (caar rows))
           (loop (append (cdr rows) (list (car rows)))
                 previous
                 (if (even? (length rows)) (- sign) sign)
                 (+ tried 1)))
          (else
           (let* ((pivot-row (car rows))
                  (pivot (car pivot-row)))
             (loop (map (lambda (row)
                          (map (lambda (x p)
                                 (quotient (- (* pivot x) (* (car row) p))
                                           previous))
                               (cdr row)
                               (cdr pivot-row)))
                        (cdr rows))
                   pivot
                   sign
                   0))))))

(define (show . xs) (write xs) (newline))

(for-each
 (lambda (m) (show (expand m) (bareiss m)))
 '(((5))
   ((1 2) (3 4))
   ((2 0 1) (1 3 2) (1 1 1))
   ((0 1 2) (1 0 3) (4 -3 8))
   ((1 2 3) (4 5 6) (7 8 9))
   ((3 1 4 1) (5 9 2 6) (5 3 5 8) (9 7 9 3))))

;=> (5 5)
;=> (-2 -2)
;=> (0 0)
;=> (-2 -2)
;=> (0 0)
;=> (98 98)
