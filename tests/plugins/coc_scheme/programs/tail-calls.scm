;; Tail calls in every position: loops in constant space.
(import (scheme base) (scheme write))

(define (show x) (write x) (newline))

(define (loop-if n) (if (= n 0) 'if (loop-if (- n 1))))
(define (loop-cond n)
  (cond ((= n 0) 'cond)
        (else (loop-cond (- n 1)))))
(define (loop-case n)
  (case n
    ((0) 'case)
    (else (loop-case (- n 1)))))
(define (loop-and n) (if (= n 0) 'and (and #t (loop-and (- n 1)))))
(define (loop-or n) (if (= n 0) 'or (or #f (loop-or (- n 1)))))
(define (loop-when n)
  (if (= n 0)
      'when
      (when (> n 0) (loop-when (- n 1)))))
(define (loop-let n)
  (let* ((m (- n 1)))
    (if (< m 0)
        'let
        (letrec ((next m)) (begin 'ignored (loop-let next))))))
(define (loop-apply n)
  (if (= n 0) 'apply (apply loop-apply (list (- n 1)))))
(define (loop-values n)
  (if (= n 0)
      'values
      (call-with-values (lambda () (values (- n 1) 'x))
        (lambda (m x) (loop-values m)))))
(define (loop-callcc n)
  (if (= n 0)
      'call/cc
      (call/cc (lambda (k) (loop-callcc (- n 1))))))

(for-each (lambda (loop) (show (loop 100)))
          (list loop-if loop-cond loop-case loop-and loop-or loop-when
                loop-let loop-apply loop-values loop-callcc))

;; Continuation-passing style needs tail calls, too.
(define (sum-to n k)
  (if (= n 0)
      (k 0)
      (sum-to (- n 1) (lambda (s) (k (+ n s))))))
(show (sum-to 100 (lambda (s) s)))

;=> if
;=> cond
;=> case
;=> and
;=> or
;=> when
;=> let
;=> apply
;=> values
;=> call/cc
;=> 5050
