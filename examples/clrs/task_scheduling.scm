; Task scheduling (Lawler, 1985): takes the deadlines and the penalties (integers) of unit tasks; returns a vector with
; 1 for each task that the greedy choice by penalty does in time, and 0 for the others.

(define (task_scheduling deadlines penalties)
  (define (dearer? a b) (> (vector-ref penalties a) (vector-ref penalties b)))
  (let* ((n (vector-length deadlines))
         (order (merge-sort (indices n) dearer?))
         (selected (make-vector n 0)))
    (vector-set! selected (car order) 1)
    (let next ((rest (cdr order)) (time 1))
      (cond ((null? rest) selected)
            ((< time (vector-ref deadlines (car rest)))
             (vector-set! selected (car rest) 1)
             (next (cdr rest) (+ time 1)))
            (else (next (cdr rest) time))))))

(define (indices n)
  (do ((i (- n 1) (- i 1)) (all '() (cons i all))) ((< i 0) all)))

(define (merge-sort items before?)
  (define (merge a b)
    (cond ((null? a) b)
          ((null? b) a)
          ((before? (car b) (car a)) (cons (car b) (merge a (cdr b))))
          (else (cons (car a) (merge (cdr a) b)))))
  (define (merge-pairs runs)
    (if (or (null? runs) (null? (cdr runs)))
        runs
        (cons (merge (car runs) (cadr runs)) (merge-pairs (cddr runs)))))
  (let sort ((runs (map list items)))
    (cond ((null? runs) '())
          ((null? (cdr runs)) (car runs))
          (else (sort (merge-pairs runs))))))
