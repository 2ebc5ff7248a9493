;; A mutable table with two keys, in the style of message passing.
(import (scheme base) (scheme write))

(define (make-table)
  (define rows (list 'table))
  (define (lookup k1 k2)
    (let ((row (assoc k1 (cdr rows))))
      (and row
           (let ((cell (assoc k2 (cdr row))))
             (and cell (cdr cell))))))
  (define (insert! k1 k2 value)
    (let ((row (assoc k1 (cdr rows))))
      (if row
          (let ((cell (assoc k2 (cdr row))))
            (if cell
                (set-cdr! cell value)
                (set-cdr! row (cons (cons k2 value) (cdr row)))))
          (set-cdr! rows
                    (cons (list k1 (cons k2 value)) (cdr rows))))))
  (define (count)
    (apply + (map (lambda (row) (length (cdr row))) (cdr rows))))
  (lambda (message . arguments)
    (case message
      ((lookup) (apply lookup arguments))
      ((insert!) (apply insert! arguments))
      ((count) (count))
      (else (error "unknown message" message)))))

(define capitals (make-table))
(capitals 'insert! 'europe 'france "Paris")
(capitals 'insert! 'europe 'spain "Madrid")
(capitals 'insert! 'asia 'japan "Tokio")
(capitals 'insert! 'asia 'japan "Tokyo")

(write (capitals 'lookup 'europe 'spain))
(newline)
(write (capitals 'lookup 'asia 'japan))
(newline)
(write (capitals 'lookup 'africa 'mali))
(newline)
(write (capitals 'count))
(newline)

;=> "Madrid"
;=> "Tokyo"
;=> #f
;=> 3
