;; Print a table with columns that fit, numbers at the right.
(import (scheme base) (scheme write))

(define (text x)
  (cond ((string? x) x)
        ((number? x) (number->string x))
        ((symbol? x) (symbol->string x))
        (else (error "cannot print" x))))

(define (pad x width)
  (let* ((s (text x))
         (space (make-string (- width (string-length s)) #\space)))
    (if (number? x)
        (string-append space s)
        (string-append s space))))

(define (width column)
  (apply max (map (lambda (x) (string-length (text x))) column)))

(define (columns rows) (apply map list rows))

(define (print-row row widths)
  (display "|")
  (for-each (lambda (x w)
              (display " ")
              (display (pad x w))
              (display " |"))
            row widths)
  (newline))

(define (print-rule widths)
  (display "+")
  (for-each (lambda (w)
              (display (make-string (+ w 2) #\-))
              (display "+"))
            widths)
  (newline))

(define (print-table header rows)
  (let ((widths (map width (columns (cons header rows)))))
    (print-rule widths)
    (print-row header widths)
    (print-rule widths)
    (for-each (lambda (row) (print-row row widths)) rows)
    (print-rule widths)))

(define stock
  '(("apples" 12 30) ("pears" 7 45) ("watermelons" 110 5)))

(define (with-total rows)
  (map (lambda (row)
         (append row (list (* (cadr row) (list-ref row 2)))))
       rows))

(print-table '("fruit" "count" "price" "total") (with-total stock))
(print-table '(x) '((1) (22) (333)))

;=> +-------------+-------+-------+-------+
;=> | fruit       | count | price | total |
;=> +-------------+-------+-------+-------+
;=> | apples      |    12 |    30 |   360 |
;=> | pears       |     7 |    45 |   315 |
;=> | watermelons |   110 |     5 |   550 |
;=> +-------------+-------+-------+-------+
;=> +-----+
;=> | x   |
;=> +-----+
;=> |   1 |
;=> |  22 |
;=> | 333 |
;=> +-----+
