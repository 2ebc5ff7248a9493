;; The Josephus problem: with a ring of pairs, and by recurrence.
(import (scheme base) (scheme write))

(define (make-ring n)
  (let* ((last (list n))
         (first (let loop ((i (- n 1)) (rest last))
                  (if (= i 0) rest (loop (- i 1) (cons i rest))))))
    (set-cdr! last first)
    last))

;; Every k-th leaves; the order in which they go, the survivor last.
(define (josephus n k)
  (let loop ((before (make-ring n)) (steps 1) (gone '()))
    (cond ((eq? before (cdr before))
           (reverse (cons (car before) gone)))
          ((< steps k) (loop (cdr before) (+ steps 1) gone))
          (else
           (let ((victim (cadr before)))
             (set-cdr! before (cddr before))
             (loop before 1 (cons victim gone)))))))

(define (survivor n k)
  (let loop ((i 1) (place 0))
    (if (= i n)
        (+ place 1)
        (loop (+ i 1) (modulo (+ place k) (+ i 1))))))

(define (last items)
  (if (null? (cdr items)) (car items) (last (cdr items))))

(write (josephus 7 3))
(newline)
(write (josephus 10 2))
(newline)
(write (survivor 41 3))
(newline)
(write (= (last (josephus 41 3)) (survivor 41 3)))
(newline)
(write (map (lambda (n) (survivor n 2)) '(1 2 3 4 5 6 7 8 9 16 17)))
(newline)

;=> (3 6 2 7 5 1 4)
;=> (2 4 6 8 10 3 7 1 9 5)
;=> 31
;=> #t
;=> (1 1 3 1 3 5 7 1 3 1 3)
