;; Trampolines: mutual recursion as a loop over thunks, and a scheduler.
(import (scheme base) (scheme write))

(define (trampoline x)
  (if (procedure? x) (trampoline (x)) x))

(define (even/t n) (if (= n 0) 'even (lambda () (odd/t (- n 1)))))
(define (odd/t n) (if (= n 0) 'odd (lambda () (even/t (- n 1)))))

(define (show x) (write x) (newline))
(show (trampoline (even/t 100)))
(show (trampoline (even/t 77)))

;; Several computations that take turns, one bounce each.
(define (run-together . tasks)
  (let loop ((tasks tasks) (results '()))
    (if (null? tasks)
        (reverse results)
        (let ((x (car tasks)))
          (if (procedure? x)
              (loop (append (cdr tasks) (list (x))) results)
              (loop (cdr tasks) (cons x results)))))))

(define (countdown name n)
  (lambda ()
    (display name)
    (display n)
    (newline)
    (if (= n 0)
        (list name 'done)
        (countdown name (- n 1)))))

(show (run-together (countdown 'a 2) (countdown 'b 0) (countdown 'c 1)))

;; The Ackermann function with an explicit continuation.
(define (ackermann m n k)
  (cond ((= m 0) (lambda () (k (+ n 1))))
        ((= n 0) (lambda () (ackermann (- m 1) 1 k)))
        (else
         (lambda ()
           (ackermann m (- n 1)
                      (lambda (v) (ackermann (- m 1) v k)))))))
(show (trampoline (ackermann 2 3 (lambda (v) v))))

;=> even
;=> odd
;=> a2
;=> b0
;=> c1
;=> a1
;=> c0
;=> a0
;=> ((b done) (c done) (a done))
;=> 9
