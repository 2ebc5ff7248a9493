;; A queue from a pair of pointers into a list that is mutated.
(import (scheme base) (scheme write))

(define (make-queue) (cons '() '()))
(define (queue-empty? q) (null? (car q)))

(define (enqueue! q x)
  (let ((cell (list x)))
    (if (queue-empty? q)
        (set-car! q cell)
        (set-cdr! (cdr q) cell))
    (set-cdr! q cell)))

(define (dequeue! q)
  (if (queue-empty? q)
      (error "the queue is empty")
      (let ((x (caar q)))
        (set-car! q (cdar q))
        x)))

(define (queue->list q) (list-copy (car q)))

(define (show x) (write x) (newline))

(define q (make-queue))
(for-each (lambda (x) (enqueue! q x)) '(a b c))
(show (queue->list q))
(show (dequeue! q))
(enqueue! q 'd)
(show (dequeue! q))
(show (queue->list q))

;; Serve customers in turn; those with much to do queue up again.
(define jobs (make-queue))
(for-each (lambda (job) (enqueue! jobs job))
          '((ann . 2) (bob . 1) (cid . 3)))
(let serve ()
  (unless (queue-empty? jobs)
    (let* ((job (dequeue! jobs))
           (left (- (cdr job) 1)))
      (display (car job))
      (display (if (= left 0) " is done" " waits again"))
      (newline)
      (if (> left 0) (enqueue! jobs (cons (car job) left)))
      (serve))))

(show (guard (e ((error-object? e) (error-object-message e)))
        (dequeue! jobs)))

;=> (a b c)
;=> a
;=> b
;=> (c d)
;=> ann waits again
;=> bob is done
;=> cid waits again
;=> ann is done
;=> cid waits again
;=> cid is done
;=> "the queue is empty"
