;; Pascal's triangle, centred, and the sums of its rows and diagonals.
(import (scheme base) (scheme write))

(define (next-row row)
  (map + (cons 0 row) (append row '(0))))

(define (rows n)
  (let loop ((row '(1)) (n n))
    (if (= n 0)
        '()
        (cons row (loop (next-row row) (- n 1))))))

(define (print-row row indent)
  (display (make-string indent #\space))
  (display (car row))
  (for-each (lambda (x)
              (display (if (< x 10) "   " "  "))
              (display x))
            (cdr row))
  (newline))

(define triangle (rows 7))

(let loop ((rows triangle) (indent 12))
  (unless (null? rows)
    (print-row (car rows) indent)
    (loop (cdr rows) (- indent 2))))

(display (map (lambda (row) (apply + row)) triangle))
(newline)
(display (list-ref (rows 21) 20))
(newline)

;=>             1
;=>           1   1
;=>         1   2   1
;=>       1   3   3   1
;=>     1   4   6   4   1
;=>   1   5  10  10   5   1
;=> 1   6  15  20  15   6   1
;=> (1 2 4 8 16 32 64)
;=> (1 20 190 1140 4845 15504 38760 77520 125970 167960 184756 167960 125970 77520 38760 15504 4845 1140 190 20 1)
